import type { ContractRuleInput } from '@svc/contract';
import { expect, test } from 'vitest';
import { faultsOf } from './faults.ts';
import { ruleOf } from './rule.ts';

const column = (name: string, databaseType: string) => ({
  name,
  databaseType,
  isNullable: true,
  defaultValue: null,
  comment: null,
});
const table = {
  schema: 'public',
  name: 'orders',
  type: 'Table' as const,
  comment: null,
  columns: [column('status', 'text'), column('placed_at', 'timestamp'), column('total', 'numeric')],
  primaryKey: [],
  foreignKeys: [],
  indexes: [],
};
type Rule = Omit<ContractRuleInput, 'name'>;
const pathsOf = (rule: Rule, engine = 'PostgreSQL') =>
  faultsOf([ruleOf({ name: 'One', ...rule })], { engine, table, find: () => undefined }).map(
    ({ path }) => path,
  );
const pattern: Rule = { type: 'Pattern', columns: ['status'], config: { pattern: '^open$' } };
const freshness: Rule = { type: 'Freshness', config: { maxAgeMinutes: 60 } };

test('refuses a pattern that is invalid or that the engine does not support', () => {
  expect(pathsOf(pattern)).toEqual([]);
  expect(pathsOf(pattern, 'SQLite')).toHaveLength(1);
  expect(pathsOf(pattern, 'SqlServer')).toEqual(['/rules/0/type']);
  expect(pathsOf({ ...pattern, config: { pattern: '(' } })).toEqual(['/rules/0/config/pattern']);
});

test('freshness requires a time column, except on an engine without a time type', () => {
  expect(pathsOf({ ...freshness, columns: ['placed_at'] })).toEqual([]);
  expect(pathsOf({ ...freshness, columns: ['status'] })).toEqual(['/rules/0/columns/0']);
  expect(pathsOf({ ...freshness, columns: ['status'] }, 'SQLite')).toEqual([]);
});

test.each<readonly [what: string, rule: Rule, path: string]>([
  ['a missing column', { type: 'NullRate', columns: ['place'] }, '/rules/0/columns/0'],
  ['a duplicate column', { type: 'NullRate', columns: ['status', 'status'] }, '/rules/0/columns/1'],
  [
    'a member of another type',
    { ...pattern, config: { pattern: 'a', minRows: 1 } },
    '/rules/0/config/minRows',
  ],
  [
    'a warning threshold above the failure threshold',
    { type: 'NullRate', columns: ['status'], warnAbove: 2 },
    '/rules/0/warnAbove',
  ],
  [
    'a threshold above 100 percent',
    { type: 'NullRate', columns: ['status'], unit: 'Percent', failAbove: 101 },
    '/rules/0/failAbove',
  ],
  [
    'a minimum above the maximum',
    { type: 'Volume', config: { minRows: 2, maxRows: 1 } },
    '/rules/0/config/minRows',
  ],
  ['a range without bounds', { type: 'Range', columns: ['total'], config: {} }, '/rules/0/config/min'],
])('reports %s with its path', (_what, rule, path) => expect(pathsOf(rule)).toEqual([path]));

test('a REST API accepts no rules, because rules require SQL', () => {
  for (const rule of [pattern, freshness, { type: 'Volume', config: { minRows: 1 } } as Rule])
    expect(pathsOf(rule, 'Rest')).toEqual(['/rules/0/type']);
});
