import type { RowChange } from '@svc/contract';
import type { RowFingerprints, RunBatch } from '../../gateways/run-sql/index.ts';
import type { KeyTable, Verdict } from './key-table.ts';
import { routesOfRows } from './late-rows.ts';
import type { WaitingRows } from './waiting-rows.ts';

export type ComparedTables = {
  /** Null: no rows are stored yet. */
  readonly stored: KeyTable | null;
  /** Table for the rows of this run: `stored`, or another one under another key. */
  readonly next: KeyTable;
  readonly keyIds: { readonly current: string; readonly stored: string };
};

/** Columns of a result for its comparison. */
export type ComparedColumns = {
  /** Places of the key columns. */
  readonly keyPlaces: readonly number[];
  /** True if the stored contents cover the same columns. */
  readonly areContentsComparable: boolean;
};

/** Rows of a batch to report, with their changes and route codes. */
type ReportedRows = {
  readonly rows: readonly number[];
  readonly changes: readonly RowChange[];
  readonly codes: RowFingerprints;
};

/**
 * Creates the comparison of batches with the stored rows. It counts all changes, and stores the rows in the tables.
 *
 * @param waiting  Receives the rows whose verdict needs the last row.
 */
export function createBatchComparison(
  { stored, next, keyIds }: ComparedTables,
  reportedChanges: ReadonlySet<RowChange>,
  waiting: WaitingRows,
) {
  const counts = { New: 0, Changed: 0 };

  /** @returns the rows to report now. */
  const compare = (batch: RunBatch, { keyPlaces, areContentsComparable }: ComparedColumns): ReportedRows => {
    const rows: number[] = [];
    const changes: RowChange[] = [];
    const current = codesUnder(batch, keyIds.current);
    const earlier = stored === null || stored === next ? current : codesUnder(batch, keyIds.stored);
    const take = (row: number, change: 'New' | 'Changed') => {
      counts[change] += 1;
      if (!reportedChanges.has(change)) return;
      rows.push(row);
      changes.push(change);
    };
    const apply = (row: number, verdict: Verdict) => {
      if (verdict === 'New') take(row, 'New');
      else if (verdict === 'Changed' && areContentsComparable) take(row, 'Changed');
      else if (verdict === 'Undecided' && areContentsComparable)
        waiting.add(stored?.placeOf(earlier.keys, row) ?? -1, batch, row, current);
    };
    for (let row = 0; row < batch.rowCount; row += 1) {
      const maskedKey = () => keyPlaces.map((place) => batch.columns[place]?.[row] ?? null);
      if (stored !== next) next.observe(current, row, maskedKey);
      if (stored !== null) apply(row, stored.observe(earlier, row, maskedKey));
    }
    return { rows, changes, codes: routesOfRows(current, rows) };
  };

  return { compare, counts: (): Readonly<typeof counts> => counts };
}

function codesUnder(batch: RunBatch, keyId: string): RowFingerprints {
  const codes = batch.fingerprints?.find((each) => each.keyId === keyId);
  if (!codes) throw new Error('A batch came without the fingerprints that were asked for.');
  return codes;
}
