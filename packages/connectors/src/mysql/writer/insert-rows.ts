import type { Batch } from '../../values.ts';
import type { RefusedRows, RejectedRow, RejectionCode } from '../../writers/port.ts';
import type { MysqlColumn } from './describe.ts';
import { encodeCell, encoderOf } from './encode.ts';
import { lineOf } from './load-rows.ts';
import {
  type Chunk,
  clearChunk,
  createChunkSender,
  emptyChunk,
  insertLimits,
  loadLimits,
} from './send-chunk.ts';
import type { WritingSession } from './session.ts';

export type RowInserter = {
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  readonly flush: () => Promise<readonly RejectedRow[]>;
  /** Number of rows that the server has stored. */
  readonly stored: () => number;
};

/** Creates an inserter. It sends one chunk while the caller fills the next. */
export function createRowInserter(options: {
  readonly session: Pick<WritingSession, 'run'>;
  /** Quoted name. */
  readonly table: string;
  /** Columns in the order of a batch's cells. */
  readonly columns: readonly MysqlColumn[];
  readonly keyColumns: readonly string[];
  /** The server accepts `LOAD DATA LOCAL`. */
  readonly loads: boolean;
  /** The committing transaction has begun. If the server ends it, the next chunk fails. */
  readonly isInTransaction: boolean;
}): RowInserter {
  const { columns, keyColumns, loads } = options;
  const { rowsMax, bytesWanted } = loads ? loadLimits : insertLimits;
  const sendChunk = createChunkSender({ ...options, reject: (row) => rejected.push(row) });
  const encoders = columns.map((column) => ({ column, encode: encoderOf(column) }));
  const keys = keyColumns.map((name) => columns.findIndex((column) => column.name === name));
  const fields = new Array<string>(columns.length).fill('');
  let waiting = emptyChunk();
  /** Reusable chunk, to be filled while another one is being sent. */
  let spare: Chunk | undefined;
  let rowNumber = 0;
  let storedRows = 0;
  let rejected: RejectedRow[] = [];
  let sending: Promise<void> = Promise.resolve();

  async function send(chunk: Chunk): Promise<void> {
    const { stored, isReusable } = await sendChunk(chunk);
    storedRows += stored;
    if (!isReusable) return;
    clearChunk(chunk);
    spare = chunk;
  }

  async function sendWaiting(): Promise<void> {
    await sending;
    if (waiting.rowNumbers.length === 0) return;
    sending = send(waiting);
    waiting = spare ?? emptyChunk();
    spare = undefined;
    // The next `write` or `flush` reports the failure.
    sending.catch(() => undefined);
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
    for (const [at, { column, encode }] of encoders.entries()) {
      const field = encodeCell(encode, column, batch.columns[at]?.[row] ?? null);
      if (typeof field !== 'string') {
        reject(batch, row, at, field.code);
        return;
      }
      fields[at] = field;
    }
    waiting.literals.add(`,(${fields.join(',')})`);
    if (loads) waiting.lines.add(lineOf(fields));
    waiting.rowNumbers.push(rowNumber);
    if (keys.length > 0) waiting.keys.push(keyOf(batch, row));
  }

  return {
    write: async (batch, refused) => {
      for (let row = 0; row < batch.rowCount; row++) {
        addRow(batch, row, refused.get(row));
        if (waiting.rowNumbers.length >= rowsMax || waiting.literals.size() >= bytesWanted)
          await sendWaiting();
      }
      return takeRejected();
    },
    flush: async () => {
      await sendWaiting();
      await sending;
      return takeRejected();
    },
    stored: () => storedRows,
  };
}
