import { createConnectors } from '@svc/connectors';
import { expect, test } from 'vitest';
import { type RuleDefinition, ruleOf } from './rule.ts';
import { countStatement, sampleStatements } from './statements.ts';

const { dialect, dryRun } = createConnectors().get('SqlServer');
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
    schema: 'dbo',
    name: 'orders',
    type: 'Table' as const,
    comment: null,
    columns: [column('id', 'int'), column('order', 'nvarchar(20)'), column('placed', 'datetime2(7)')],
    primaryKey: ['id'],
    foreignKeys: [],
    indexes: [],
  },
};
const rules: readonly RuleDefinition[] = [
  ruleOf({ name: 'a', type: 'NullRate', columns: ['order'], config: { missingValues: ['n/a', ' '] } }),
  ruleOf({ name: 'b', type: 'AcceptedValues', columns: ['order'], config: { values: ['paid'] } }),
  ruleOf({ name: 'c', type: 'AcceptedValues', columns: ['id'], config: { values: [1, '2'] } }),
  ruleOf({ name: 'd', type: 'Range', columns: ['id'], config: { min: 1, max: 9 } }),
  ruleOf({ name: 'e', type: 'Uniqueness', columns: ['order'] }),
  ruleOf({
    name: 'f',
    type: 'Referential',
    columns: ['id'],
    config: { schema: 'dbo', table: 'customers', columns: ['id'] },
  }),
  ruleOf({ name: 'g', type: 'Freshness', columns: ['placed'], config: { maxAgeMinutes: 5 } }),
];

test('the statement check of SQL Server accepts the statements of all rules, which select 20 rows with TOP', () => {
  for (const rule of rules)
    for (const { sql } of [countStatement(rule, target), ...(sampleStatements(rule, target) ?? [])]) {
      expect(() => dryRun?.check({ sql: sql.replaceAll(/\{\{(\w+)\}\}/g, '@$1') }, {})).not.toThrow();
      expect(sql).not.toMatch(/\blimit\b/);
    }
  for (const rule of rules)
    for (const { sql } of sampleStatements(rule, target) ?? []) expect(sql).toContain('select top (20) ');
});

test('texts of SQL Server are compared with their case and their trailing spaces', () => {
  const [missing, accepted, numbers] = rules.map((rule) => countStatement(rule, target).sql);
  const text = "(cast(s.[order] as nvarchar(max)) + N'.') collate Latin1_General_100_BIN2";
  expect(missing).toContain(`s.[order] is null or ${text} in ({{p1}} + N'.', {{p2}} + N'.')`);
  expect(accepted).toContain(`${text} not in ({{p1}} + N'.')`);
  expect(numbers).toContain('s.[id] not in ({{p1}}, {{p2}})');
});
