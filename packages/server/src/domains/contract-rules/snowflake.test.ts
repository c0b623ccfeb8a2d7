import { createConnectors } from '@svc/connectors';
import { expect, test } from 'vitest';
import { type RuleDefinition, ruleOf } from './rule.ts';
import { countStatement, sampleStatements } from './statements.ts';

const { dialect, dryRun } = createConnectors().get('Snowflake');
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
    schema: 'PUBLIC',
    name: 'ORDERS',
    type: 'Table' as const,
    comment: null,
    columns: [
      column('ID', 'NUMBER(38,0)'),
      column('order', 'VARCHAR(20)'),
      column('PLACED', 'TIMESTAMP_NTZ(9)'),
    ],
    primaryKey: ['ID'],
    foreignKeys: [],
    indexes: [],
  },
};
const rules: readonly RuleDefinition[] = [
  ruleOf({ name: 'a', type: 'NullRate', columns: ['order'], config: { missingValues: ['n/a'] } }),
  ruleOf({ name: 'b', type: 'AcceptedValues', columns: ['order'], config: { values: ['paid'] } }),
  ruleOf({ name: 'c', type: 'AcceptedValues', columns: ['ID'], config: { values: [1, '2'] } }),
  ruleOf({ name: 'd', type: 'Range', columns: ['ID'], config: { min: 1, max: 9 } }),
  ruleOf({ name: 'e', type: 'Uniqueness', columns: ['order'] }),
  ruleOf({
    name: 'f',
    type: 'Referential',
    columns: ['ID'],
    config: { schema: 'PUBLIC', table: 'CUSTOMERS', columns: ['ID'] },
  }),
  ruleOf({ name: 'g', type: 'Freshness', columns: ['PLACED'], config: { maxAgeMinutes: 5 } }),
  ruleOf({ name: 'h', type: 'Pattern', columns: ['order'], config: { pattern: '^[a-z]+$' } }),
];
const compiled = (sql: string): string => sql.replaceAll(/\{\{\w+\}\}/g, '?');

test('the statement check of Snowflake accepts the statements of all rules', () => {
  for (const rule of rules)
    for (const { sql } of [countStatement(rule, target), ...(sampleStatements(rule, target) ?? [])])
      expect(() => dryRun?.check({ sql: compiled(sql) }, {}), sql).not.toThrow();
});

test('a pattern matches anywhere in a text of Snowflake, and times without a zone are in UTC', () => {
  const [missing, , , , , , age, pattern] = rules.map((rule) => countStatement(rule, target).sql);
  expect(missing).toContain('s."order" is null or cast(s."order" as varchar) in ({{p1}})');
  expect(pattern).toContain('regexp_instr(cast(s."order" as varchar), {{p1}}) = 0');
  expect(age).toContain('datediff(second, cast(s."PLACED" as timestamp_ltz), current_timestamp())');
});
