import type { ContractRuleInput } from '@svc/contract';

/** Rule on the table of orders with its expected result. */
export type RuleCase = {
  readonly rule: ContractRuleInput;
  readonly failing: number | null;
  readonly outcome: string;
  /** Ids of failing rows, or keys; null: no sample. */
  readonly sample: readonly unknown[] | null;
};
export const ruleCases: readonly RuleCase[] = [
  {
    rule: { name: 'a', type: 'NullRate', columns: ['status'], config: { missingValues: ['n/a'] } },
    failing: 2,
    outcome: 'Failed',
    sample: [4, 10],
  },
  {
    rule: { name: 'b', type: 'Range', columns: ['total'], config: { min: 20, max: 1000 } },
    failing: 2,
    outcome: 'Failed',
    sample: [1, 10],
  },
  {
    rule: {
      name: 'c',
      type: 'AcceptedValues',
      columns: ['status'],
      config: { values: ['open', 'paid', 'n/a'] },
    },
    failing: 1,
    outcome: 'Failed',
    sample: [5],
  },
  {
    rule: { name: 'd', type: 'AcceptedValues', columns: ['customer_id'], config: { values: [1, '2'] } },
    failing: 1,
    outcome: 'Failed',
    sample: [9],
  },
  {
    rule: { name: 'e', type: 'Uniqueness', columns: ['no'] },
    failing: 2,
    outcome: 'Failed',
    sample: ['A-2'],
  },
  {
    rule: { name: 'e2', type: 'Uniqueness', columns: ['email'] },
    failing: 0,
    outcome: 'Passed',
    sample: null,
  },
  {
    rule: {
      name: 'f',
      type: 'Referential',
      columns: ['customer_id'],
      config: { table: 'customers', columns: ['id'] },
    },
    failing: 1,
    outcome: 'Failed',
    sample: [9],
  },
  {
    rule: { name: 'g', type: 'Volume', config: { minRows: 11 } },
    failing: null,
    outcome: 'Failed',
    sample: null,
  },
  {
    rule: { name: 'h', type: 'Volume', config: { minRows: 10, maxRows: 10 } },
    failing: null,
    outcome: 'Passed',
    sample: null,
  },
  {
    rule: { name: 'i', type: 'Freshness', columns: ['placed_at'], config: { maxAgeMinutes: 90 } },
    failing: null,
    outcome: 'Failed',
    sample: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  },
  {
    rule: { name: 'j', type: 'Freshness', columns: ['placed_at'], config: { maxAgeMinutes: 150 } },
    failing: null,
    outcome: 'Passed',
    sample: null,
  },
  {
    rule: { name: 'k', type: 'Schema', config: { expected: [{ name: 'id' }, { name: 'weight' }] } },
    failing: 1,
    outcome: 'Failed',
    sample: ['The column weight is missing.'],
  },
  {
    rule: {
      name: 'l',
      type: 'CustomSql',
      config: { kind: 'FailingRows', sql: 'select id, email from orders where total > 1000' },
    },
    failing: 1,
    outcome: 'Failed',
    sample: [10],
  },
  {
    rule: {
      name: 'm',
      type: 'CustomSql',
      config: {
        kind: 'Verdict',
        sql: "select 0 as passed, 3 as failing, count(*) as total, 'too many' as message from orders",
      },
    },
    failing: 3,
    outcome: 'Failed',
    sample: null,
  },
  {
    rule: { name: 'n', type: 'Pattern', columns: ['no'], config: { pattern: '^A-[0-9]+$' } },
    failing: 1,
    outcome: 'Failed',
    sample: [6],
  },
];
