import { describe, expect, test } from 'vitest';
import { holdsRows } from './compare.ts';

const of = (columns: readonly string[], ...rows: readonly (readonly unknown[])[]) => ({ columns, rows });
const gold = of(['city', 'total'], ['Zagreb', 2], ['Split', 1]);

describe('answers that match the expected rows', () => {
  test.each([
    ['without a difference', gold],
    ['in another order', of(['city', 'total'], ['Split', 1], ['Zagreb', 2])],
    ['under other names', of(['a', 'b'], ['Zagreb', 2], ['Split', 1])],
    ['with columns in reverse order', of(['total', 'city'], [2, 'Zagreb'], [1, 'Split'])],
    ['with more columns', of(['id', 'city', 'total'], [7, 'Zagreb', 2], [8, 'Split', 1])],
    ['with numbers as texts', of(['city', 'total'], ['Zagreb', '2.000'], ['Split', '1'])],
    ['with a rounding error', of(['city', 'total'], ['Zagreb', 2.000_000_000_1], ['Split', 1])],
  ])('accepts the answer %s', (_what, answer) => expect(holdsRows(gold, answer, false)).toBe(true));

  test('accepts two columns with the same values only if the values of each row belong together', () => {
    const pairs = of(['a', 'b'], [1, 2], [2, 1], [3, 3]);
    expect(holdsRows(pairs, of(['b', 'a'], [2, 1], [1, 2], [3, 3]), false)).toBe(true);
    expect(holdsRows(pairs, of(['a', 'b'], [1, 1], [2, 2], [3, 3]), false)).toBe(false);
  });

  test('accepts an empty answer if the expected result is empty, unless a column is missing', () => {
    expect(holdsRows(of(['a']), of(['b']), false)).toBe(true);
    expect(holdsRows(of(['a', 'b']), of(['a']), false)).toBe(false);
  });
});

describe('answers that do not match the expected rows', () => {
  test.each([
    ['with an extra row', of(['city', 'total'], ['Zagreb', 2], ['Split', 1], ['Split', 1])],
    ['with a missing row', of(['city', 'total'], ['Zagreb', 2])],
    ['with another value', of(['city', 'total'], ['Zagreb', 2], ['Split', 3])],
    ['with swapped values between rows', of(['city', 'total'], ['Zagreb', 1], ['Split', 2])],
    ['without a column', of(['city'], ['Zagreb'], ['Split'])],
    ['with null for a number', of(['city', 'total'], ['Zagreb', null], ['Split', 1])],
    ['with a text that looks like null', of(['city', 'total'], ['Zagreb', 'null'], ['Split', 1])],
  ])('rejects the answer %s', (_what, answer) => expect(holdsRows(gold, answer, false)).toBe(false));

  test('rejects rows in another order if the order counts', () => {
    expect(holdsRows(gold, gold, true)).toBe(true);
    expect(holdsRows(gold, of(['city', 'total'], ['Split', 1], ['Zagreb', 2]), true)).toBe(false);
  });

  test('rejects rows that occur in both results, but not equally often', () => {
    const twice = of(['a'], [1], [1], [2]);
    expect(holdsRows(twice, of(['a'], [1], [2], [2]), false)).toBe(false);
  });
});
