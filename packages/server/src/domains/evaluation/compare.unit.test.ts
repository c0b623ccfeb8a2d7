import { describe, expect, test } from 'vitest';
import { holdsRows } from './compare.ts';

const of = (columns: readonly string[], ...rows: readonly (readonly unknown[])[]) => ({ columns, rows });
const gold = of(['city', 'total'], ['Zagreb', 2], ['Split', 1]);

describe('an answer holds what is right', () => {
  test.each([
    ['as it is', gold],
    ['in another order', of(['city', 'total'], ['Split', 1], ['Zagreb', 2])],
    ['under other names', of(['a', 'b'], ['Zagreb', 2], ['Split', 1])],
    ['with columns the other way round', of(['total', 'city'], [2, 'Zagreb'], [1, 'Split'])],
    ['with more columns', of(['id', 'city', 'total'], [7, 'Zagreb', 2], [8, 'Split', 1])],
    ['with numbers as texts', of(['city', 'total'], ['Zagreb', '2.000'], ['Split', '1'])],
    ['but for what rounding leaves', of(['city', 'total'], ['Zagreb', 2.000_000_000_1], ['Split', 1])],
  ])('%s', (_what, answer) => expect(holdsRows(gold, answer, false)).toBe(true));

  test('with two columns of the same values, paired as they belong', () => {
    const pairs = of(['a', 'b'], [1, 2], [2, 1], [3, 3]);
    expect(holdsRows(pairs, of(['b', 'a'], [2, 1], [1, 2], [3, 3]), false)).toBe(true);
    expect(holdsRows(pairs, of(['a', 'b'], [1, 1], [2, 2], [3, 3]), false)).toBe(false);
  });

  test('empty as the right one is', () => {
    expect(holdsRows(of(['a']), of(['b']), false)).toBe(true);
    expect(holdsRows(of(['a', 'b']), of(['a']), false)).toBe(false);
  });
});

describe('an answer does not', () => {
  test.each([
    ['with a row too many', of(['city', 'total'], ['Zagreb', 2], ['Split', 1], ['Split', 1])],
    ['with a row too few', of(['city', 'total'], ['Zagreb', 2])],
    ['with another value', of(['city', 'total'], ['Zagreb', 2], ['Split', 3])],
    ['with values that do not belong together', of(['city', 'total'], ['Zagreb', 1], ['Split', 2])],
    ['without a column', of(['city'], ['Zagreb'], ['Split'])],
    ['with null for a number', of(['city', 'total'], ['Zagreb', null], ['Split', 1])],
    ['with a text that looks like null', of(['city', 'total'], ['Zagreb', 'null'], ['Split', 1])],
  ])('%s', (_what, answer) => expect(holdsRows(gold, answer, false)).toBe(false));

  test('in another order, where the order is asked for', () => {
    expect(holdsRows(gold, gold, true)).toBe(true);
    expect(holdsRows(gold, of(['city', 'total'], ['Split', 1], ['Zagreb', 2]), true)).toBe(false);
  });

  test('where a row comes twice in one and once in the other', () => {
    const twice = of(['a'], [1], [1], [2]);
    expect(holdsRows(twice, of(['a'], [1], [2], [2]), false)).toBe(false);
  });
});
