import { describe, expect, it } from 'vitest';
import type { ResultColumn } from '../../../views/results/cells.ts';
import type { ChartChoice } from './chart-choice.ts';
import { pointsOf, startOf, timeOf } from './chart-points.ts';

const column = (name: string, kind: string): ResultColumn => ({
  name,
  kind,
  databaseType: kind,
  isMasked: false,
  maskedReason: null,
});

const byDay: ChartChoice = { x: 0, measures: [1], kind: 'line', aggregate: 'Sum', unit: 'Exact' };
const dated = [column('day', 'date'), column('amount', 'decimal')];
const shown = (rows: (string | number | null)[][], change: Partial<ChartChoice> = {}, columns = dated) =>
  pointsOf(columns, rows, { ...byDay, ...change }).points.map(({ label, values }) => [label, ...values]);

describe('chart points over time', () => {
  const rows = [
    ['2026-03-02', '1.10'],
    ['2026-03-01', '5'],
    [null, '100'],
    ['2026-03-02', '2.20'],
  ];

  it('are sorted by time, one for each day, and report the number of rows without a day', () => {
    expect(shown(rows)).toEqual([
      ['2026-03-01', 5],
      ['2026-03-02', 3.3],
    ]);
    expect(pointsOf(dated, rows, byDay)).toMatchObject({ axis: 'time', leftOut: 1 });
  });

  it('use the aggregate that the reader has selected', () => {
    const last = (aggregate: ChartChoice['aggregate']) => shown(rows, { aggregate }).at(-1)?.[1];
    expect(last('Mean')).toBe(1.65);
    expect(last('Minimum')).toBe(1.1);
    expect(last('Maximum')).toBe(2.2);
    expect(last('Rows')).toBe(2);
  });

  it('are grouped by hour, week from Monday, month or year', () => {
    const sunday = Date.parse('2026-03-01T12:30:00Z');
    const iso = (unit: ChartChoice['unit']) => new Date(startOf(sunday, unit)).toISOString().slice(0, 13);
    expect(iso('Hour')).toBe('2026-03-01T12');
    expect(iso('Week')).toBe('2026-02-23T00');
    expect(iso('Month')).toBe('2026-03-01T00');
    expect(iso('Year')).toBe('2026-01-01T00');
    expect(shown(rows, { unit: 'Month' })).toEqual([['2026-03-01', 8.3]]);
  });

  it('parse the date formats of the engines', () => {
    expect(timeOf('2026-03-01')).toBe(Date.UTC(2026, 2, 1));
    expect(timeOf('2026-03-01 10:00:00')).toBe(Date.UTC(2026, 2, 1, 10));
    expect(timeOf('2026-03-01 10:00:00.5+02')).toBe(Date.UTC(2026, 2, 1, 8, 0, 0, 500));
    expect(timeOf('2026-03-01T10:00:00Z')).toBe(Date.UTC(2026, 2, 1, 10));
  });

  it('have a gap where a value is NULL', () => {
    expect(shown([['2026-03-01', null]])).toEqual([['2026-03-01', null]]);
  });
});

describe('chart points over categories', () => {
  const columns = [column('region', 'text'), column('sold', 'integer'), column('cost', 'integer')];

  it('show NULL as a category separate from the text “NULL”', () => {
    const rows = [
      [null, 1, 2],
      ['north', 3, 4],
      ['NULL', 5, 6],
      ['north', 1, 1],
    ];
    const points = shown(rows, { kind: 'bar', measures: [1, 2] }, columns);
    expect(points).toContainEqual(['north', 4, 5]);
    expect(points.filter(([label]) => label === 'NULL')).toEqual([
      ['NULL', 5, 6],
      ['NULL', 1, 2],
    ]);
  });

  it('are sorted by number if the categories are numbers, with NULL last', () => {
    const numbers = [column('size', 'integer'), column('sold', 'integer')];
    const rows = [
      [10, 1],
      [9, 2],
      [null, 3],
    ];
    expect(shown(rows, { kind: 'bar' }, numbers).map(([label]) => label)).toEqual(['9', '10', 'NULL']);
  });
});
