import { expect, it } from 'vitest';
import { distinctNames } from './distinct-names.ts';

it.each([
  [
    ['a', 'a', 'a_2'],
    ['a', 'a_3', 'a_2'],
  ],
  [
    ['a_2', 'a', 'a'],
    ['a_2', 'a', 'a_3'],
  ],
  [
    ['a', 'a', 'a', 'a_2', 'a_2', 'a_2_2'],
    ['a', 'a_3', 'a_4', 'a_2', 'a_2_3', 'a_2_2'],
  ],
  [
    ['', '', '_2'],
    ['', '_3', '_2'],
  ],
  [
    ['a', 'A'],
    ['a', 'A'],
  ],
] as const)('%j become %j, and an original name is never reused', (names, distinct) => {
  expect(distinctNames(names)).toEqual(distinct);
});

it('compares names with the folding function of the caller', () => {
  const fold = (name: string) => name.toLowerCase();
  expect(distinctNames(['a', 'A', 'a_2', 'A_3'], fold)).toEqual(['a', 'A_4', 'a_2', 'A_3']);
});

it('creates distinct names for ten thousand columns with the same name', () => {
  const distinct = distinctNames(Array.from({ length: 10_000 }, () => 'c'));
  expect(new Set(distinct).size).toBe(10_000);
  expect(distinct.at(-1)).toBe('c_10000');
});
