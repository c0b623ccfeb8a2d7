import { previewRowsMax } from '@svc/channels';
import type { CollectedResult } from '../../run-messages/index.ts';
import type { RunToExecute } from '../store/load-run.ts';

type StoringRun = Pick<RunToExecute, 'storeResults' | 'maxRows'>;

/** Number of stored rows of a run whose subscription stores results without Max rows. */
const storedRowsDefault = 10_000;
const storedRowsMaxOf = ({ maxRows }: StoringRun): number => maxRows ?? storedRowsDefault;

/** Returns the number of rows to collect from a result: for the message, and for the stored results. */
export const collectedRowsMaxOf = (run: StoringRun): number =>
  run.storeResults ? Math.max(storedRowsMaxOf(run), previewRowsMax) : previewRowsMax;

/** Returns the rows to store with a run as JSON text; null: its subscription stores none. */
export function storedResultsOf(run: StoringRun, collected: CollectedResult): string | null {
  if (!run.storeResults) return null;
  const rows = collected.rows.slice(0, storedRowsMaxOf(run));
  return JSON.stringify({ columns: collected.columns, rows, isTruncated: rows.length < collected.rowCount });
}
