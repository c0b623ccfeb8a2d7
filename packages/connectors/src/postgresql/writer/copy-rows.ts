import { copyInto } from '@svc/pg-wire';
import type pg from 'pg';
import type { Batch } from '../../values.ts';
import type { RefusedRows, RejectedRow, RejectionCode } from '../../writers/port.ts';
import { createRowBytes, type RowBytes } from '../../writers/row-bytes.ts';
import type { PostgresqlColumn } from './describe.ts';
import { type CellEncoder, encoderOf, nullField } from './encode.ts';
import { quoted } from './names.ts';
import { columnOf, lineNumber, rejectionOf } from './rejections.ts';

/** Limits of one statement. Bisection finds a rejected row within them. */
const chunkRowsMax = 5_000;
const chunkBytesWanted = 256 * 1024;

/** Rows of one statement. */
type Chunk = {
  readonly bytes: RowBytes;
  readonly rowNumbers: number[];
  /** Empty if the copy has no key. */
  readonly keys: (string | null)[];
};

const emptyChunk = (): Chunk => ({ bytes: createRowBytes(), rowNumbers: [], keys: [] });

function clear(chunk: Chunk): void {
  chunk.bytes.clear();
  chunk.rowNumbers.length = 0;
  chunk.keys.length = 0;
}

export type RowCopier = {
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  readonly flush: () => Promise<readonly RejectedRow[]>;
  /** Number of rows that have arrived. */
  readonly sent: () => number;
};

export type RowCopierOptions = {
  readonly client: pg.Client;
  /** Quoted name. */
  readonly table: string;
  /** Columns in the order of a batch's cells. */
  readonly columns: readonly PostgresqlColumn[];
  readonly keyColumns: readonly string[];
  /**
   * True: each statement is its own transaction, so that a failed one can be repeated with half of its rows. False: a
   * row that the server rejects ends the transaction, and the caller must end the copy.
   */
  readonly findsRejected: boolean;
};

/** Creates a copier. It sends one chunk by `COPY` while the caller fills the next. */
export function createRowCopier(options: RowCopierOptions): RowCopier {
  const { client, table, columns, keyColumns, findsRejected } = options;
  const encoders = columns.map(encoderOf);
  const names = columns.map(({ name }) => name);
  const keys = keyColumns.map((name) => columns.findIndex((column) => column.name === name));
  const text = `copy ${table} (${columns.map(({ name }) => quoted(name)).join(', ')}) from stdin`;
  const fields = new Array<string>(encoders.length).fill('');
  let waiting = emptyChunk();
  /** Reusable chunk, to be filled while another one is being sent. */
  let spare: Chunk | undefined;
  let rowNumber = 0;
  let sent = 0;
  let rejected: RejectedRow[] = [];
  let onItsWay: Promise<void> = Promise.resolve();

  async function send(chunk: Chunk): Promise<void> {
    const isTaken = await sendOrReject(chunk, 0, chunk.bytes.rows());
    // The chunk is not reused: the connection may still reference the bytes of a failed statement.
    if (!isTaken) return;
    clear(chunk);
    spare = chunk;
  }

  /** Returns true if the server accepted all rows in one statement. */
  async function sendOrReject(chunk: Chunk, from: number, to: number): Promise<boolean> {
    try {
      // Only one chunk is in transit at a time.
      await copyInto(client, text, [chunk.bytes.part(from, to)]);
      sent += to - from;
      return true;
    } catch (error) {
      const code = rejectionOf(error);
      if (code === undefined) throw error;
      const at = findsRejected ? from : from + lineNumber(error) - 1;
      const rowNumber = chunk.rowNumbers[at];
      if (!findsRejected && rowNumber === undefined) throw error;
      if ((to - from === 1 || !findsRejected) && rowNumber !== undefined) {
        rejected.push({ rowNumber, key: chunk.keys[at] ?? null, column: columnOf(error, names), code });
        return false;
      }
      const half = from + Math.ceil((to - from) / 2);
      await sendOrReject(chunk, from, half);
      await sendOrReject(chunk, half, to);
      return false;
    }
  }

  async function next(): Promise<void> {
    await onItsWay;
    if (waiting.bytes.rows() === 0) return;
    onItsWay = send(waiting);
    waiting = spare ?? emptyChunk();
    spare = undefined;
    // The next `write` or `flush` reports the failure.
    onItsWay.catch(() => undefined);
  }

  function takeRejected(): readonly RejectedRow[] {
    const rows = rejected;
    rejected = [];
    return rows;
  }

  const keyOf = (batch: Batch, row: number): string | null =>
    keys.length === 0 ? null : keys.map((at) => String(batch.columns[at]?.[row] ?? '')).join(', ');

  function reject(batch: Batch, row: number, column: number, code: RejectionCode): void {
    // The report omits a key that is itself personal data.
    const key = code === 'personal-data' && keys.includes(column) ? null : keyOf(batch, row);
    rejected.push({ rowNumber, key, column: columns[column]?.name ?? null, code });
  }

  function addRow(batch: Batch, row: number, refusedFor: number | undefined): void {
    rowNumber += 1;
    if (refusedFor !== undefined) {
      reject(batch, row, refusedFor, 'personal-data');
      return;
    }
    const refusal = encodeRow(batch, row, encoders, fields);
    if (refusal) {
      reject(batch, row, refusal.column, refusal.code);
      return;
    }
    waiting.bytes.add(`${fields.join('\t')}\n`);
    waiting.rowNumbers.push(rowNumber);
    if (keys.length > 0) waiting.keys.push(keyOf(batch, row));
  }

  return {
    write: async (batch, refused) => {
      for (let row = 0; row < batch.rowCount; row++) {
        addRow(batch, row, refused.get(row));
        if (waiting.bytes.rows() >= chunkRowsMax || waiting.bytes.size() >= chunkBytesWanted) await next();
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

/** Writes the fields of a row into `fields`. Returns the column and code of the first cell that cannot be written. */
function encodeRow(
  batch: Batch,
  row: number,
  encoders: readonly CellEncoder[],
  fields: string[],
): { readonly column: number; readonly code: RejectionCode } | undefined {
  for (let column = 0; column < encoders.length; column++) {
    const cell = batch.columns[column]?.[row] ?? null;
    const field = cell === null ? nullField : encoders[column]?.(cell);
    if (typeof field === 'string') fields[column] = field;
    else if (field) return { column, code: field.code };
  }
  return undefined;
}
