import type { Batch, Cell } from '@svc/connectors';
import type { RejectedRow } from '@svc/connectors/writers';
import { plural } from '@svc/contract';
import type { InspectedCopy } from './inspect.ts';
import { CopyRefusal } from './refusal.ts';
import type { CopyHooks, CopyProgress, CopyRequest } from './request.ts';
import { createWatermark } from './source-statement.ts';

/** Counts of read and rejected rows. */
export type Tally = {
  /** Counts decoded rows and tracks the watermark. */
  readonly see: (batch: Batch) => void;
  /** Counts rows that are passed through without decoding. */
  readonly seeUnread: (rows: number, bytes: number) => void;
  /** Reports rejected rows. Ends the copy if their number exceeds the limit. */
  readonly reject: (rows: readonly RejectedRow[]) => Promise<void>;
  readonly progress: () => CopyProgress;
  readonly watermark: () => string | null;
};

export function createTally(
  { sourceColumns }: Pick<InspectedCopy, 'sourceColumns'>,
  request: CopyRequest,
  hooks: Pick<CopyHooks, 'onProgress' | 'onRejected'>,
): Tally {
  const at = sourceColumns.findIndex(({ name }) => name === request.incremental?.column);
  const column = sourceColumns[at];
  const watermark = column && createWatermark(column);
  let progress: CopyProgress = { rowsRead: 0, bytesRead: 0, rowsRejected: 0 };
  const add = (rows: number, bytes: number) => {
    progress = { ...progress, rowsRead: progress.rowsRead + rows, bytesRead: progress.bytesRead + bytes };
    hooks.onProgress(progress);
  };
  return {
    see: (batch) => {
      for (const cell of (watermark && batch.columns[at]) ?? []) watermark?.see(cell);
      add(batch.rowCount, sizeOf(batch));
    },
    seeUnread: add,
    reject: async (rows) => {
      if (rows.length === 0) return;
      const remaining = Math.max(0, request.rejectedRowsMax + 1 - progress.rowsRejected);
      await hooks.onRejected(rows.slice(0, remaining));
      progress = { ...progress, rowsRejected: progress.rowsRejected + rows.length };
      hooks.onProgress(progress);
      assertNotTooMany(request, progress.rowsRejected, rows[0]);
    },
    progress: () => progress,
    watermark: () => watermark?.value() ?? null,
  };
}

function assertNotTooMany(request: CopyRequest, rejected: number, first: RejectedRow | undefined): void {
  const max = request.onRejectedRow === 'Skip' ? request.rejectedRowsMax : 0;
  if (rejected <= max) return;
  const column = first?.column ? `, column ${first.column}` : '';
  const where = first ? ` (row ${first.rowNumber}${column}: ${first.code})` : '';
  const what = rejected === 1 ? 'A row' : plural(rejected, 'row');
  throw new CopyRefusal('rejected-rows', `${what} cannot be written at the destination${where}.`);
}

/** Approximate size for display: characters of texts, and fixed sizes for numbers and booleans. */
function sizeOf({ columns }: Batch): number {
  let bytes = 0;
  for (const cells of columns) for (const cell of cells) bytes += sizeOfCell(cell);
  return bytes;
}

const numberBytes = 8;

function sizeOfCell(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  if (typeof cell === 'number') return numberBytes;
  return cell === null ? 0 : 1;
}
