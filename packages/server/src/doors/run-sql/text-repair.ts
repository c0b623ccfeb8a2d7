import type { Batch, Cell, Column } from '@svc/connectors';
import { isStorable, toStorable } from '../../platform/text/index.ts';

/**
 * Puts U+FFFD in place of characters that PostgreSQL cannot store: other engines hold them, kept results are `jsonb`,
 * and no run may fail for a character of somebody's data.
 */
export type TextRepair = {
  readonly repair: (batch: Batch) => Batch;
  /** The columns with names that can be stored. */
  readonly columns: (columns: readonly Column[]) => readonly Column[];
  /** Values that were changed so far. */
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
