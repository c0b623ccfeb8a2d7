import { createConnectors } from '@svc/connectors';
import { expect, test } from 'vitest';
import { type RuleDefinition, ruleOf } from './rule.ts';
import { countStatement, sampleStatements } from './statements.ts';

const { dialect, dryRun } = createConnectors().get('BigQuery');
const column = (name: string, databaseType: string) => ({
  name,
  databaseType,
  isNullable: true,
  defaultValue: null,
  comment: null,
});
const target = {
  dialect,
  table: {
    schema: 'shop',
    name: 'orders',
    type: 'Table' as const,
    comment: null,
    columns: [
      column('id', 'INT64'),
      column('order', 'STRING'),
      column('placed', 'TIMESTAMP'),
      column('day', 'DATE'),
      column('at', 'DATETIME'),
      column('hostile', 'DATE) or (true'),
    ],
    primaryKey: ['id'],
    foreignKeys: [],
    indexes: [],
  },
};
const range = (name: string) =>
  ruleOf({ name, type: 'Range', columns: [name], config: { min: '2024-01-01T00:00:00Z' } });
const rules: readonly RuleDefinition[] = [
  ruleOf({ name: 'a', type: 'NullRate', columns: ['order'], config: { missingValues: ['n/a'] } }),
  ruleOf({ name: 'b', type: 'Pattern', columns: ['order'], config: { pattern: '^A' } }),
  ruleOf({ name: 'c', type: 'AcceptedValues', columns: ['id'], config: { values: [1, '2'] } }),
  ruleOf({ name: 'd', type: 'Range', columns: ['id'], config: { min: 1, max: 9 } }),
  ruleOf({ name: 'e', type: 'Uniqueness', columns: ['order'] }),
  ruleOf({
    name: 'f',
    type: 'Referential',
    columns: ['id'],
    config: { schema: 'shop', table: 'customers', columns: ['id'] },
  }),
  ruleOf({ name: 'g', type: 'Freshness', columns: ['at'], config: { maxAgeMinutes: 5 } }),
  ...['placed', 'day', 'at'].map(range),
];
const counted = (rule: RuleDefinition): string => countStatement(rule, target).sql;

test('the statement check of BigQuery accepts the statements of all rules', () => {
  for (const rule of rules)
    for (const { sql } of [countStatement(rule, target), ...(sampleStatements(rule, target) ?? [])])
      expect(() => dryRun?.check({ sql: sql.replaceAll(/\{\{(\w+)\}\}/g, '@$1') }, {}), sql).not.toThrow();
});

test('rules are written in the SQL dialect of BigQuery', () => {
  const [missing, pattern, values, , , orphans, freshness] = rules.map(counted);
  expect(missing).toContain('s.`order` is null or cast(s.`order` as string) in ({{p1}})');
  expect(pattern).toContain('not regexp_contains(cast(s.`order` as string), {{p1}})');
  expect(values).toContain('s.`id` not in ({{p1}}, {{p2}})');
  expect(orphans).toContain('left join `shop`.`customers` t on t.`id` = s.`id`');
  expect(freshness).toContain('timestamp_diff(current_timestamp(), cast(s.`at` as timestamp), second)');
});

test('times of BigQuery are compared with their own type, and an unknown type name is not written into the SQL', () => {
  const wheres = ['placed', 'day', 'at', 'hostile'].map((name) => counted(range(name)));
  expect(wheres[0]).toContain('s.`placed` < cast({{p1}} as TIMESTAMP)');
  expect(wheres[1]).toContain('s.`day` < cast({{p1}} as DATE)');
  expect(wheres[2]).toContain('s.`at` < cast({{p1}} as DATETIME)');
  expect(wheres[3]).toContain('s.`hostile` < {{p1}}');
});
