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

test('a key that is sent stays with its step, wherever the step moves', () => {
  expect(keys([step('b2', 'key-b'), step('a2', 'key-a')], stored('a', 'b'))).toEqual(['key-b', 'key-a']);
});

test('steps without keys that say the same keep theirs, moved or behind a new one', () => {
  expect(keys([step('b'), step('a')], stored('a', 'b'))).toEqual(['key-b', 'key-a']);
  expect(keys([step('x'), step('a'), step('b')], stored('a', 'b'))).toEqual(['new', 'key-a', 'key-b']);
});

test('a changed step without a key keeps that of its place', () => {
  expect(keys([step('a'), step('b2')], stored('a', 'b'))).toEqual(['key-a', 'key-b']);
});

test('no key is given twice', () => {
  expect(keys([step('a'), step('a'), step('z', 'key-b')], stored('a', 'b'))).toEqual([
    'key-a',
    'new',
    'key-b',
  ]);
});
