import { copyInto } from '@svc/pg-wire';
import type pg from 'pg';
import type { Batch } from '../../values.ts';
import type { RefusedRows, RejectedRow, RejectionCode } from '../../writers/port.ts';
import type { PostgresqlColumn } from './describe.ts';
import { type CellEncoder, encodeCell, encoderOf } from './encode.ts';
import { quoted } from './names.ts';

/** A statement takes so many rows, or so much text, at once: what is refused is looked for among these. */
const chunkRowsMax = 5_000;
const chunkCharactersWanted = 1024 * 1024;

type Line = { readonly text: string; readonly rowNumber: number; readonly key: string | null };

export type RowCopier = {
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  readonly flush: () => Promise<readonly RejectedRow[]>;
  /** Rows that have arrived. */
  readonly sent: () => number;
};

export type RowCopierOptions = {
  readonly client: pg.Client;
  /** Quoted. */
  readonly table: string;
  /** In the order of a batch's cells. */
  readonly columns: readonly PostgresqlColumn[];
  readonly keyColumns: readonly string[];
  /**
   * Statements are transactions of their own, so that one that fails can be tried again with half of its rows. Else a row
   * that the server rejects ends the transaction, and whoever is told of it has to end the copy.
   */
  readonly findsRejected: boolean;
};

/** Sends rows by `COPY`, a chunk while the next one is read. */
export function createRowCopier(options: RowCopierOptions): RowCopier {
  const { client, table, columns, keyColumns, findsRejected } = options;
  const encoders = columns.map(encoderOf);
  const keys = keyColumns.map((name) => columns.findIndex((column) => column.name === name));
  const text = `copy ${table} (${columns.map(({ name }) => quoted(name)).join(', ')}) from stdin`;
  let lines: Line[] = [];
  let characters = 0;
  let rowNumber = 0;
  let sent = 0;
  let rejected: RejectedRow[] = [];
  let onItsWay: Promise<void> = Promise.resolve();

  const send = (chunk: readonly Line[]): Promise<void> =>
    copyInto(client, text, [Buffer.from(chunk.map((line) => line.text).join(''))]);

  async function sendOrReject(chunk: readonly Line[]): Promise<void> {
    try {
      await send(chunk);
      sent += chunk.length;
    } catch (error) {
      const code = rejectionOf(error);
      if (code === undefined) throw error;
      const only = findsRejected ? chunk[0] : chunk[lineNumber(error) - 1];
      if (!findsRejected && !only) throw error;
      if ((chunk.length === 1 || !findsRejected) && only) {
        rejected.push({ rowNumber: only.rowNumber, key: only.key, column: columnOf(error), code });
        return;
      }
      const half = Math.ceil(chunk.length / 2);
      await sendOrReject(chunk.slice(0, half));
      await sendOrReject(chunk.slice(half));
    }
  }

  async function next(): Promise<void> {
    await onItsWay;
    const chunk = lines;
    lines = [];
    characters = 0;
    if (chunk.length === 0) return;
    onItsWay = sendOrReject(chunk);
    // Whoever writes or flushes next meets the failure.
    onItsWay.catch(() => undefined);
  }

  function takeRejected(): readonly RejectedRow[] {
    const taken = rejected;
    rejected = [];
    return taken;
  }

  const keyOf = (batch: Batch, row: number): string | null =>
    keys.length === 0 ? null : keys.map((at) => String(batch.columns[at]?.[row] ?? '')).join(', ');

  function reject(batch: Batch, row: number, column: number, code: RejectionCode): void {
    // A key that is personal data itself is not told.
    const key = code === 'personal-data' && keys.includes(column) ? null : keyOf(batch, row);
    rejected.push({ rowNumber, key, column: columns[column]?.name ?? null, code });
  }

  function addRow(batch: Batch, row: number, refusedFor: number | undefined): void {
    rowNumber += 1;
    if (refusedFor !== undefined) {
      reject(batch, row, refusedFor, 'personal-data');
      return;
    }
    const line = lineOf(batch, row, encoders);
    if (typeof line !== 'string') {
      reject(batch, row, line.column, line.code);
      return;
    }
    lines.push({ text: line, rowNumber, key: keyOf(batch, row) });
    characters += line.length;
  }

  return {
    write: async (batch, refused) => {
      for (let row = 0; row < batch.rowCount; row++) {
        addRow(batch, row, refused.get(row));
        if (lines.length >= chunkRowsMax || characters >= chunkCharactersWanted) await next();
      }
      return takeRejected();
    },
    flush: async () => {
      await next();
      await onItsWay;
      return takeRejected();
    },
    sent: () => sent,
  };
}

function lineOf(
  batch: Batch,
  row: number,
  encoders: readonly CellEncoder[],
): string | { readonly column: number; readonly code: RejectionCode } {
  let line = '';
  for (let column = 0; column < encoders.length; column++) {
    const encode = encoders[column];
    if (!encode) continue;
    const field = encodeCell(encode, batch.columns[column]?.[row] ?? null);
    if (typeof field !== 'string') return { column, code: field.code };
    line += column === 0 ? field : `\t${field}`;
  }
  return `${line}\n`;
}

/** SQLSTATEs that speak of one row's values. */
const rejections = new Map<string, RejectionCode>([
  ['22001', 'too-long'],
  ['22003', 'out-of-range'],
  ['22007', 'invalid-time'],
  ['22008', 'invalid-time'],
  ['22021', 'invalid-text'],
  ['22P05', 'invalid-text'],
  ['22P02', 'invalid-value'],
  ['22P03', 'invalid-value'],
  ['23502', 'null-value'],
  ['23514', 'check-failed'],
]);

function rejectionOf(error: unknown): RejectionCode | undefined {
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  return rejections.get(state) ?? (state.startsWith('22') ? 'refused' : undefined);
}

/** The server counts lines from 1, and says so at the start of where it was. */
function lineNumber(error: unknown): number {
  const where = error instanceof Error && 'where' in error ? String(error.where) : '';
  return Number(/^COPY [^,]+, \D+(\d+)/.exec(where)?.[1] ?? 0);
}

const columnOf = (error: unknown): string | null =>
  error instanceof Error && 'column' in error && typeof error.column === 'string' ? error.column : null;
