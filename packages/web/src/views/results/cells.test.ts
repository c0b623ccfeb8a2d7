import { describe, expect, it } from 'vitest';
import { type ResultColumn, sortedOrder, statisticsOf, toTsv } from './cells.ts';

const column = (kind: string, name = 'c'): ResultColumn => ({
  name,
  kind,
  databaseType: kind,
  isMasked: false,
  maskedReason: null,
});

describe('sorting a result', () => {
  it('orders integers beyond the safe range exactly', () => {
    const rows = [['9007199254740993'], ['9007199254740992'], [5]];
    expect(sortedOrder([column('integer')], rows, { column: 0, isDescending: false })).toEqual([2, 1, 0]);
  });

  it('sorts NULL last in both directions', () => {
    const rows = [[null], [2], [1]];
    expect(sortedOrder([column('integer')], rows, { column: 0, isDescending: false })).toEqual([2, 1, 0]);
    expect(sortedOrder([column('integer')], rows, { column: 0, isDescending: true })).toEqual([1, 2, 0]);
  });

  const sorted = (kind: string, cells: readonly (string | number | boolean | null)[], isDescending = false) =>
    sortedOrder(
      [column(kind)],
      cells.map((cell) => [cell]),
      { column: 0, isDescending },
    ).map((row) => cells[row]);

  it.each([
    [
      'timestamptz',
      [
        '2024-01-01T00:00:00Z',
        '2024-01-01T00:00:00.25Z',
        '2024-01-01T00:00:00.5Z',
        '2024-01-01T00:00:00.75Z',
      ],
    ],
    [
      'timestamp',
      [
        '-infinity',
        '0044-03-15T00:00:00 BC',
        '0001-01-01T00:00:00',
        '2024-01-01T00:00:00',
        '2024-01-01T00:00:00.000001',
        '10000-01-01T00:00:00',
        'infinity',
      ],
    ],
    ['date', ['0000-00-00', '2024-00-15', '2024-02-29', '2024-03-01', '294276-12-31']],
    ['date', ['0045-12-31 BC', '0044-03-15 BC', '0044-03-15']],
    [
      'time',
      [
        '-838:59:59.999',
        '-12:30:00.5',
        '-12:30:00.25',
        '-00:00:00.5',
        '00:00:00',
        '09:00:00',
        '09:00:00.1',
        '24:00:00',
        '838:59:59',
      ],
    ],
    ['time', ['12:00:00+02', '11:00:00+00', '12:00:00-01:30']],
    [
      'decimal',
      [
        '-9007199254740993.5',
        '-9007199254740993.25',
        -2,
        '-1.10',
        '-0.5',
        '0.00',
        '0.05',
        '0.5',
        1,
        '1.10',
        '1.2',
        '9007199254740993.25',
        '9007199254740993.5',
        '12345678901234567890.1',
        'NaN',
      ],
    ],
    ['float', ['-Infinity', '-1e400', -1e300, 1, 2, 3, 1e21, 1e300, '1e400', 'Infinity', 'NaN']],
    ['integer', [-3, 5, '9007199254740992', '9007199254740993', '18446744073709551615']],
    ['integer', [1, 10, 'n/a', 'x']],
    ['boolean', [false, true]],
    ['binary', ['0a', '10', '9f', 'a0']],
    ['text', ['item 2', 'item 10']],
  ] as const)('orders the values of a %s column by their value: %j', (kind, ascending) => {
    const shuffled = ascending.map((_, index) => ascending[(index * 7 + 3) % ascending.length] ?? null);
    const cells = new Set(shuffled).size === ascending.length ? shuffled : ascending.toReversed();
    expect(sorted(kind, [null, ...cells])).toEqual([...ascending, null]);
    expect(sorted(kind, [null, ...cells], true)).toEqual([...ascending.toReversed(), null]);
  });

  it('sorts numbers correctly among several NaN', () => {
    expect(sorted('float', [3, 'NaN', 1, 'NaN', 2])).toEqual([1, 2, 3, 'NaN', 'NaN']);
  });

  it('treats equal decimals with different scales as equal', () => {
    expect(sorted('decimal', ['1.10', 1.1, '1.100', '-0.0', 0])).toEqual(['-0.0', 0, '1.10', 1.1, '1.100']);
  });

  it('retains the order of rows if no column is selected', () => {
    expect(sortedOrder([column('text')], [['b'], ['a']], null)).toEqual([0, 1]);
  });
});

describe('copying a result', () => {
  it('quotes values that would break a row, and writes NULL as an empty value', () => {
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
  it('include the counts, range and mean of numbers', () => {
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

  it('have no mean for text', () => {
    expect(statisticsOf(column('text'), ['a'])).toMatchObject({ mean: null, sum: null, min: 'a' });
  });
});
