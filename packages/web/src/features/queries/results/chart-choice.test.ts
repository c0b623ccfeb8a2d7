import { describe, expect, it } from 'vitest';
import type { ResultColumn } from '../../../views/results/cells.ts';
import { firstChart, readChoice, writeChoice } from './chart-choice.ts';

const column = (name: string, kind: string): ResultColumn => ({
  name,
  kind,
  databaseType: kind,
  isMasked: false,
  maskedReason: null,
});

describe('the first chart of a result', () => {
  it('is a line for values over time', () => {
    expect(firstChart([column('total', 'decimal'), column('day', 'date')])).toEqual({
      x: 1,
      measures: [0],
      kind: 'line',
      aggregate: 'Sum',
      unit: 'Exact',
    });
  });

  it('is bars for values over text, and uses a measure instead of an id', () => {
    const columns = [column('customer_id', 'integer'), column('name', 'text'), column('orders', 'integer')];
    expect(firstChart(columns)).toMatchObject({ x: 1, measures: [2], kind: 'bar' });
  });

  it('does not exist without a measure and another column', () => {
    expect(firstChart([column('name', 'text')])).toBeUndefined();
    expect(firstChart([column('only', 'integer')])).toBeUndefined();
  });
});

describe('the selected chart of a result', () => {
  const columns = [column('day', 'date'), column('sold', 'integer'), column('cost', 'integer')];
  const choice = { x: 0, measures: [2, 1], kind: 'line', aggregate: 'Mean', unit: 'Week' } as const;

  it('is stored with the names of its columns', () => {
    const text = writeChoice(columns, choice);
    expect(readChoice(columns, text)).toEqual(choice);
    expect(readChoice(columns.toReversed(), text)).toMatchObject({ x: 2, measures: [0, 1] });
  });

  it('is absent if its columns no longer exist or its stored text is invalid', () => {
    expect(readChoice([column('other', 'integer')], writeChoice(columns, choice))).toBeUndefined();
    expect(readChoice(columns, '{')).toBeUndefined();
    expect(readChoice(columns, '7')).toBeUndefined();
    expect(readChoice(columns, undefined)).toBeUndefined();
  });
});
