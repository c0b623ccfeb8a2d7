import { copyInto } from '@svc/pg-wire';
import type pg from 'pg';
import type { Batch } from '../../values.ts';
import type { RefusedRows, RejectedRow, RejectionCode } from '../../writers/port.ts';
import type { PostgresqlColumn } from './describe.ts';
import { type CellEncoder, encoderOf, nullField } from './encode.ts';
import { quoted } from './names.ts';
import { columnOf, lineNumber, rejectionOf } from './rejections.ts';

/** A statement takes so many rows, or so much text, at once: what is refused is looked for among these. */
const chunkRowsMax = 5_000;
/** Rows that wait outlive collections of young memory, which grows with them: of four times as much by far more. */
const chunkCharactersWanted = 256 * 1024;
/** A unit of UTF-16 in UTF-8. */
const bytesPerUnitMax = 3;

/** Rows of one statement, in columns of its own: an object for each row would cost more than its text. */
type Chunk = {
  readonly lines: string[];
  readonly rowNumbers: number[];
  /** Empty where the copy has no key. */
  readonly keys: (string | null)[];
};

const emptyChunk = (): Chunk => ({ lines: [], rowNumbers: [], keys: [] });

const partOf = ({ lines, rowNumbers, keys }: Chunk, from: number, to: number): Chunk => ({
  lines: lines.slice(from, to),
  rowNumbers: rowNumbers.slice(from, to),
  keys: keys.slice(from, to),
});

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
  const fields = new Array<string>(encoders.length).fill('');
  const encoded = createReusedBytes();
  let waiting = emptyChunk();
  let characters = 0;
  let rowNumber = 0;
  let sent = 0;
  let rejected: RejectedRow[] = [];
  let onItsWay: Promise<void> = Promise.resolve();

  async function sendOrReject(chunk: Chunk): Promise<void> {
    const { length } = chunk.lines;
    try {
      // Only one chunk is on its way at a time.
      await copyInto(client, text, [encoded.of(`${chunk.lines.join('\n')}\n`)]);
      sent += length;
    } catch (error) {
      // The connection may still hold them.
      encoded.giveUp();
      const code = rejectionOf(error);
      if (code === undefined) throw error;
      const at = findsRejected ? 0 : lineNumber(error) - 1;
      const rowNumber = chunk.rowNumbers[at];
      if (!findsRejected && rowNumber === undefined) throw error;
      if ((length === 1 || !findsRejected) && rowNumber !== undefined) {
        rejected.push({ rowNumber, key: chunk.keys[at] ?? null, column: columnOf(error), code });
        return;
      }
      const half = Math.ceil(length / 2);
      await sendOrReject(partOf(chunk, 0, half));
      await sendOrReject(partOf(chunk, half, length));
    }
  }

  async function next(): Promise<void> {
    await onItsWay;
    const chunk = waiting;
    waiting = emptyChunk();
    characters = 0;
    if (chunk.lines.length === 0) return;
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
    const refusal = encodeRow(batch, row, encoders, fields);
    if (refusal) {
      reject(batch, row, refusal.column, refusal.code);
      return;
    }
    // One flat text: concatenated, it would be a tree of as many parts.
    const line = fields.join('\t');
    waiting.lines.push(line);
    waiting.rowNumbers.push(rowNumber);
    if (keys.length > 0) waiting.keys.push(keyOf(batch, row));
    characters += line.length;
  }

  return {
    write: async (batch, refused) => {
      for (let row = 0; row < batch.rowCount; row++) {
        addRow(batch, row, refused.get(row));
        if (waiting.lines.length >= chunkRowsMax || characters >= chunkCharactersWanted) await next();
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

/** Texts as bytes, in memory that is used again: what a collection has to free grows the process until it comes. */
function createReusedBytes(): { readonly of: (text: string) => Buffer; readonly giveUp: () => void } {
  let bytes = Buffer.alloc(0);
  return {
    of: (text) => {
      if (bytes.length < text.length * bytesPerUnitMax) {
        const wanted = Math.max(text.length, chunkCharactersWanted + chunkCharactersWanted / 2);
        bytes = Buffer.allocUnsafeSlow(wanted * bytesPerUnitMax);
      }
      return bytes.subarray(0, bytes.write(text));
    },
    giveUp: () => {
      bytes = Buffer.alloc(0);
    },
  };
}

/** Puts the fields of a row into `fields`; what is wrong with the first cell that cannot be written. */
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
