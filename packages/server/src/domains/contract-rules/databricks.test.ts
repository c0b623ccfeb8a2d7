import { createConnectors } from '@svc/connectors';
import { expect, test } from 'vitest';
import { type RuleDefinition, ruleOf } from './rule.ts';
import { countStatement, sampleStatements } from './statements.ts';

const { dialect, dryRun } = createConnectors().get('Databricks');
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
    schema: 'sales',
    name: 'orders',
    type: 'Table' as const,
    comment: null,
    columns: [column('id', 'BIGINT'), column('order', 'STRING'), column('placed', 'TIMESTAMP_NTZ')],
    primaryKey: ['id'],
    foreignKeys: [],
    indexes: [],
  },
};
const rules: readonly RuleDefinition[] = [
  ruleOf({ name: 'a', type: 'NullRate', columns: ['order'], config: { missingValues: ['n/a'] } }),
  ruleOf({ name: 'b', type: 'AcceptedValues', columns: ['order'], config: { values: ['paid'] } }),
  ruleOf({ name: 'c', type: 'AcceptedValues', columns: ['id'], config: { values: [1, '2'] } }),
  ruleOf({ name: 'd', type: 'Range', columns: ['id'], config: { min: 1, max: 9 } }),
  ruleOf({ name: 'e', type: 'Uniqueness', columns: ['order'] }),
  ruleOf({
    name: 'f',
    type: 'Referential',
    columns: ['id'],
    config: { schema: 'sales', table: 'customers', columns: ['id'] },
  }),
  ruleOf({ name: 'g', type: 'Freshness', columns: ['placed'], config: { maxAgeMinutes: 5 } }),
  ruleOf({ name: 'h', type: 'Pattern', columns: ['order'], config: { pattern: '^[a-z]+$' } }),
];
const compiled = (sql: string): string => sql.replaceAll(/\{\{\w+\}\}/g, ':svc_p1');

test('the statement check of Databricks accepts the statements of all rules', () => {
  for (const rule of rules)
    for (const { sql } of [countStatement(rule, target), ...(sampleStatements(rule, target) ?? [])])
      expect(() => dryRun?.check({ sql: compiled(sql) }, {}), sql).not.toThrow();
});

test('a pattern matches anywhere in a text of Databricks, and times without a zone are in UTC', () => {
  const [missing, , , , , , age, pattern] = rules.map((rule) => countStatement(rule, target).sql);
  expect(missing).toContain('s.`order` is null or cast(s.`order` as string) in ({{p1}})');
  expect(pattern).toContain('not regexp_like(cast(s.`order` as string), {{p1}})');
  expect(age).toContain('timestampdiff(second, cast(s.`placed` as timestamp), current_timestamp())');
});
