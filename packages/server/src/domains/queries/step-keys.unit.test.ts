import { expect, test } from 'vitest';
import { type KeyedStep, keyedSteps } from './step-keys.ts';

const step = (sql: string, key?: string) => ({ dataSourceId: 1, sql, ...(key !== undefined && { key }) });
const stored = (...sqls: string[]): KeyedStep[] =>
  sqls.map((sql, index) => ({
    key: `key-${sql}`,
    order: index + 1,
    name: null,
    description: null,
    dataSourceId: 1,
    sql,
  }));
const keys = (steps: Parameters<typeof keyedSteps>[0], before: KeyedStep[]) =>
  keyedSteps(steps, before, () => 'new').map(({ key }) => key);

test('a submitted key stays with its step at any new position', () => {
  expect(keys([step('b2', 'key-b'), step('a2', 'key-a')], stored('a', 'b'))).toEqual(['key-b', 'key-a']);
});

test('steps without keys retain the key of the same content, even if moved or after a new step', () => {
  expect(keys([step('b'), step('a')], stored('a', 'b'))).toEqual(['key-b', 'key-a']);
  expect(keys([step('x'), step('a'), step('b')], stored('a', 'b'))).toEqual(['new', 'key-a', 'key-b']);
});

test('a changed step without a key retains the key of its position', () => {
  expect(keys([step('a'), step('b2')], stored('a', 'b'))).toEqual(['key-a', 'key-b']);
});

test('no key is assigned twice', () => {
  expect(keys([step('a'), step('a'), step('z', 'key-b')], stored('a', 'b'))).toEqual([
    'key-a',
    'new',
    'key-b',
  ]);
});
