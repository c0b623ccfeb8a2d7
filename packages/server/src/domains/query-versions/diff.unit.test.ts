import { expect, test } from 'vitest';
import { differencesOf } from './diff.ts';

const step = (key: string, order: number, sql = `select '${key}'`) => ({
  key,
  order,
  sql,
  name: null,
  description: null,
  dataSourceId: 1,
});
const definition = (change: Partial<Parameters<typeof differencesOf>[0]> = {}) => ({
  name: 'Orders',
  description: null,
  finalQuery: null,
  parameters: [],
  steps: [],
  ...change,
});
const changesBetween = (from: Parameters<typeof definition>[0], to: Parameters<typeof definition>[0]) =>
  differencesOf(definition(from), definition(to)).map(({ part, key, change }) => [part, key, change]);
const steps = (...keys: string[]) => ({ steps: keys.map((key, index) => step(key, index + 1)) });

test('equal definitions have no differences', () => {
  expect(changesBetween(steps('a', 'b'), steps('a', 'b'))).toEqual([]);
});

test('texts are added, changed and removed', () => {
  const [name, description, final] = differencesOf(
    definition({ description: 'Old' }),
    definition({ name: 'New', finalQuery: 'select 1' }),
  );
  expect(name).toEqual({ part: 'Name', key: null, change: 'Changed', before: 'Orders', after: 'New' });
  expect(description).toMatchObject({ part: 'Description', change: 'Removed', before: 'Old', after: null });
  expect(final).toMatchObject({ part: 'FinalQuery', change: 'Added', before: null, after: 'select 1' });
});

test.each([
  ['a step is added first', ['a', 'b'], ['x', 'a', 'b'], [['Step', 'x', 'Added']]],
  ['a step is removed', ['a', 'b', 'c'], ['a', 'c'], [['Step', 'b', 'Removed']]],
  ['the last step becomes the first', ['a', 'b', 'c'], ['c', 'a', 'b'], [['Step', 'c', 'Moved']]],
  [
    'all steps are replaced',
    ['a'],
    ['b'],
    [
      ['Step', 'a', 'Removed'],
      ['Step', 'b', 'Added'],
    ],
  ],
])('differences of steps: %s', (_what, from, to, expected) => {
  expect(changesBetween(steps(...from), steps(...to))).toEqual(expected);
});

test('a step with another statement is reported as changed, with both contents', () => {
  const [changed] = differencesOf(
    definition({ steps: [step('a', 1, 'select 1')] }),
    definition({ steps: [step('a', 1, 'select 2')] }),
  );
  expect(changed).toEqual({
    part: 'Step',
    key: 'a',
    change: 'Changed',
    before: step('a', 1, 'select 1'),
    after: step('a', 1, 'select 2'),
  });
});

test('an omitted field of a parameter equals its default, and another type is a change', () => {
  const days = { name: 'days', type: 'Number' as const };
  const same = { ...days, isRequired: true, description: null, defaultValue: null };
  expect(changesBetween({ parameters: [days] }, { parameters: [same] })).toEqual([]);
  expect(changesBetween({ parameters: [days] }, { parameters: [{ ...days, type: 'String' }] })).toEqual([
    ['Parameter', 'days', 'Changed'],
  ]);
});
