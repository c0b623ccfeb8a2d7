import type { RowFingerprints, RunBatch } from '../../gateways/run-sql/index.ts';
import type { KeyTable } from './key-table.ts';
import { type LateRow, routesOfRows } from './late-rows.ts';

/**
 * Maximum number of waiting rows. Their keys were shared by several rows before, so the verdict needs the last row.
 * Further rows are counted but not reported.
 */
const waitingRowsMax = 10_000;

type WaitingRow = LateRow & { readonly place: number };

export type WaitingRows = ReturnType<typeof createWaitingRows>;

/**
 * Creates the collection of rows whose verdict needs the last row.
 *
 * @param areReported  False: the rows are only counted.
 */
export function createWaitingRows({ areReported }: { readonly areReported: boolean }) {
  const rows: WaitingRow[] = [];
  /** Number of waiting rows by the place of their key. */
  const rowCounts = new Map<number, number>();
  return {
    add: (place: number, batch: RunBatch, row: number, codes: RowFingerprints): void => {
      rowCounts.set(place, (rowCounts.get(place) ?? 0) + 1);
      if (!areReported || rows.length >= waitingRowsMax) return;
      const cells = batch.columns.map((column) => column[row] ?? null);
      rows.push({ place, cells, codes: routesOfRows(codes, [row]) });
    },

    /** Counts the rows whose keys changed. Call it after the last row. */
    countChanged: (table: KeyTable): number => {
      let changedCount = 0;
      for (const [place, rowCount] of rowCounts) if (table.hasChanged(place)) changedCount += rowCount;
      return changedCount;
    },

    /** Yields the rows whose keys changed. Call it after the last row. */
    changed: function* (table: KeyTable): Generator<LateRow> {
      for (const { place, cells, codes } of rows)
        if (table.hasChanged(place)) yield { cells: [...cells, 'Changed'], codes };
    },
  };
}
