import { useMemo, useState } from 'react';
import { type Cell, type GridSort, type ResultColumn, type ResultRow, sortedOrder, toTsv } from './cells.ts';
import type { Place } from './grid-moves.ts';

/** Manages the order of the rows of a grid. */
export function useSortedRows(columns: readonly ResultColumn[], rows: readonly ResultRow[]) {
  const [sort, setSort] = useState<GridSort | null>(null);
  const order = useMemo(() => sortedOrder(columns, rows, sort), [columns, rows, sort]);
  return {
    sort,
    setSort,
    /** Returns the cell at a place of the sorted grid. */
    cellAt: ({ row, column }: Place): Cell => rows[order[row] ?? -1]?.[column] ?? null,
    /** Returns the sorted rows as tab-separated text. */
    toText: (): string =>
      toTsv(
        columns,
        order.map((row) => rows[row] ?? []),
      ),
  };
}
