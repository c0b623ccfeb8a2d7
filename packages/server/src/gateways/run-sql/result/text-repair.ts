import type { Batch, Cell, Column } from '@svc/connectors';
import { isStorable, toStorable } from '../../../platform/text/index.ts';

/**
 * Replaces characters that PostgreSQL cannot store by U+FFFD. Other engines may return them, stored results are `jsonb`,
 * and no run may fail because of a character in a user's data.
 */
export type TextRepair = {
  readonly repair: (batch: Batch) => Batch;
  /** Returns the columns with storable names. */
  readonly columns: (columns: readonly Column[]) => readonly Column[];
  /** Returns the number of changed values so far. */
  readonly repairedCount: () => number;
};

export function createTextRepair(): TextRepair {
  let count = 0;
  const repairColumn = (cells: readonly Cell[]): readonly Cell[] => {
    let changed: Cell[] | undefined;
    for (let row = 0; row < cells.length; row += 1) {
      const cell = cells[row];
      if (typeof cell !== 'string' || isStorable(cell)) continue;
      changed ??= [...cells];
      changed[row] = toStorable(cell);
      count += 1;
    }
    return changed ?? cells;
  };
  return {
    columns: (columns) => columns.map((column) => ({ ...column, name: toStorable(column.name) })),
    repair: ({ rowCount, columns }) => ({ rowCount, columns: columns.map(repairColumn) }),
    repairedCount: () => count,
  };
}
