import { describe, expect, it } from 'vitest';
import type { ResultColumn } from '../../../views/results/cells.ts';
import { firstChart } from './chart-choice.ts';

const column = (name: string, kind: string): ResultColumn => ({
  name,
  kind,
  databaseType: kind,
  isMasked: false,
});

describe('the first chart of a result', () => {
  it('draws a line over time', () => {
    expect(firstChart([column('total', 'decimal'), column('day', 'date')])).toEqual({
      x: 1,
      y: 0,
      kind: 'line',
    });
  });

  it('draws bars over words, of a measure rather than of an id', () => {
    const columns = [column('customer_id', 'integer'), column('name', 'text'), column('orders', 'integer')];
    expect(firstChart(columns)).toEqual({ x: 1, y: 2, kind: 'bar' });
  });

  it('draws nothing without a number', () => {
    expect(firstChart([column('name', 'text')])).toBeUndefined();
    expect(firstChart([column('only', 'integer')])).toBeUndefined();
  });
});
