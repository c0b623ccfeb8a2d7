import { describe, expect, it } from 'vitest';
import { type ResultColumn, sortedOrder, statisticsOf, toTsv } from './cells.ts';

const column = (kind: string, name = 'c'): ResultColumn => ({
  name,
  kind,
  databaseType: kind,
  isMasked: false,
});

describe('sorting a result', () => {
  it('orders integers beyond the safe range exactly', () => {
    const rows = [['9007199254740993'], ['9007199254740992'], [5]];
    expect(sortedOrder([column('integer')], rows, { column: 0, isDescending: false })).toEqual([2, 1, 0]);
  });

  it('keeps NULL last both ways', () => {
    const rows = [[null], [2], [1]];
    expect(sortedOrder([column('integer')], rows, { column: 0, isDescending: false })).toEqual([2, 1, 0]);
    expect(sortedOrder([column('integer')], rows, { column: 0, isDescending: true })).toEqual([1, 2, 0]);
  });

  it('leaves rows as they came without an order', () => {
    expect(sortedOrder([column('text')], [['b'], ['a']], null)).toEqual([0, 1]);
  });
});

describe('copying a result', () => {
  it('quotes what would break a row, and leaves NULL empty', () => {
    expect(
      toTsv(
        [column('text', 'a'), column('text', 'b')],
        [
          ['x\ty', null],
          ['say "hi"', 1],
        ],
      ),
    ).toBe('a\tb\n"x\ty"\t\n"say ""hi"""\t1');
  });
});

describe('statistics of a column', () => {
  it('counts, and tells the range and mean of numbers', () => {
    expect(statisticsOf(column('integer'), [3, null, 1, 3])).toMatchObject({
      count: 4,
      nulls: 1,
      distinct: 2,
      min: '1',
      max: '3',
      mean: 7 / 3,
      most: [
        { value: '3', count: 2 },
        { value: '1', count: 1 },
      ],
    });
  });

  it('has no mean for text', () => {
    expect(statisticsOf(column('text'), ['a'])).toMatchObject({ mean: null, sum: null, min: 'a' });
  });
});
