import { describe, expect, it } from 'vitest';
import { moveOf } from './grid-moves.ts';

const size = { rows: 40, columns: 3 };
const middle = { row: 20, column: 1 };

describe('a key in the grid of a result', () => {
  it('moves by one cell or by one page', () => {
    expect(moveOf('ArrowDown', false, middle, size)).toEqual({ row: 21, column: 1 });
    expect(moveOf('ArrowLeft', false, middle, size)).toEqual({ row: 20, column: 0 });
    expect(moveOf('PageUp', false, middle, size)).toEqual({ row: 5, column: 1 });
  });

  it('moves to the start and the end of the row, and with Ctrl to those of the grid', () => {
    expect(moveOf('Home', false, middle, size)).toEqual({ row: 20, column: 0 });
    expect(moveOf('End', false, middle, size)).toEqual({ row: 20, column: 2 });
    expect(moveOf('Home', true, middle, size)).toEqual({ row: 0, column: 0 });
    expect(moveOf('End', true, middle, size)).toEqual({ row: 39, column: 2 });
    expect(moveOf('ArrowDown', true, middle, size)).toEqual({ row: 39, column: 1 });
  });

  it('never leaves the grid', () => {
    expect(moveOf('PageDown', false, { row: 39, column: 2 }, size)).toEqual({ row: 39, column: 2 });
    expect(moveOf('ArrowRight', false, { row: 0, column: 2 }, size)).toEqual({ row: 0, column: 2 });
    expect(moveOf('ArrowUp', false, { row: 0, column: 0 }, size)).toEqual({ row: 0, column: 0 });
  });

  it('moves nothing if the grid does not handle it', () => {
    expect(moveOf('a', false, middle, size)).toBeUndefined();
  });
});
