import type { Batch } from '../../values.ts';
import { type RefusedRows, type RejectedRow, type RejectionCode, WriteRefusal } from '../../writers/port.ts';
import { createRowBytes, type RowBytes } from '../../writers/row-bytes.ts';
import type { MysqlColumn } from './describe.ts';
import { encodeCell, encoderOf } from './encode.ts';
import { createRowLoader, lineOf } from './load-rows.ts';
import { quotedList } from './names.ts';
import type { WritingSession } from './session.ts';

/** Limits of one `INSERT`. Every server accepts packets of this size. */
const insertRowsMax = 1_000;
const insertBytesWanted = 256 * 1024;
/** Limits of one load. If one of its rows is refused, all its rows are rolled back. */
const loadRowsMax = 5_000;
const loadBytesWanted = 1024 * 1024;

/** Rows of one chunk. */
type Chunk = {
  /** Rows in the form of an `INSERT`, each with a comma before it. */
  readonly literals: RowBytes;
  /** Rows in the form of `LOAD DATA`; empty without loading. */
  readonly lines: RowBytes;
  readonly rowNumbers: number[];
  readonly keys: (string | null)[];
};

const emptyChunk = (): Chunk => ({
  literals: createRowBytes(),
  lines: createRowBytes(),
  rowNumbers: [],
  keys: [],
});

function clear(chunk: Chunk): void {
  chunk.literals.clear();
  chunk.lines.clear();
  chunk.rowNumbers.length = 0;
  chunk.keys.length = 0;
}

export type RowInserter = {
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  readonly flush: () => Promise<readonly RejectedRow[]>;
  /** Number of rows that have arrived. */
  readonly sent: () => number;
};

/** Statements that begin, retain and roll back a chunk: in its own transaction, or within the committing one. */
const ownTransaction = { begin: 'start transaction', keep: 'commit', takeBack: 'rollback' };
const withinTransaction = {
  begin: 'savepoint svc_chunk',
  keep: 'release savepoint svc_chunk',
  takeBack: 'rollback to savepoint svc_chunk',
};

/**
 * Creates an inserter. It sends one chunk while the caller fills the next. It uses `LOAD DATA LOCAL` if the server
 * allows it, and `INSERT` otherwise or for a chunk that did not load unchanged. It finds rejected rows by bisection.
 */
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
  const { session, table, columns, keyColumns } = options;
  const load = options.loads ? createRowLoader(session, table, columns) : undefined;
  const rowsMax = load ? loadRowsMax : insertRowsMax;
  const bytesWanted = load ? loadBytesWanted : insertBytesWanted;
  const encoded = columns.map((column) => ({ column, encode: encoderOf(column) }));
  const keys = keyColumns.map((name) => columns.findIndex((column) => column.name === name));
  const { begin, keep, takeBack } = options.isInTransaction ? withinTransaction : ownTransaction;
  const start = `insert into ${table} (${quotedList(columns.map(({ name }) => name))}) values `;
  const fields = new Array<string>(columns.length).fill('');
  let waiting = emptyChunk();
  /** Reusable chunk, to be filled while another one is being sent. */
  let spare: Chunk | undefined;
  let rowNumber = 0;
  let sent = 0;
  let rejected: RejectedRow[] = [];
  let onItsWay: Promise<void> = Promise.resolve();

  /** Inserts rows. A warning reports a changed value, so the rows are rolled back. */
  async function insert({ literals }: Chunk, from: number, to: number): Promise<void> {
    await session.run(begin);
    // Removes the comma before the first row.
    const { warnings } = await session.run(start + literals.part(from, to).toString('utf8', 1));
    if (warnings > 0) throw new ChangedValue();
    await session.run(keep);
    sent += to - from;
  }

  async function loadOrInsert(chunk: Chunk): Promise<void> {
    const rows = chunk.rowNumbers.length;
    if (load) {
      await session.run(begin);
      const isTaken = await load(chunk.lines.part(0, rows), rows).catch((error: unknown) => {
        // The rows are inserted again, which reports the reason of the rejection.
        if (numberOf(error) > 0) return false;
        throw error;
      });
      await session.run(isTaken ? keep : takeBack);
      if (isTaken) {
        sent += rows;
        clear(chunk);
        spare = chunk;
        return;
      }
    }
    for (const [from, to] of partsOf(chunk.literals)) await insertOrReject(chunk, from, to);
    // The chunk is not reused: the connection may still reference the bytes of a failed load.
    if (load) return;
    clear(chunk);
    spare = chunk;
  }

  async function insertOrReject(chunk: Chunk, from: number, to: number): Promise<void> {
    try {
      await insert(chunk, from, to);
    } catch (error) {
      if (isDoubled(error)) throw doubledKey(error);
      const code = rejectionOf(error);
      if (code === undefined) throw error;
      await session.run(takeBack);
      const rowNumber = chunk.rowNumbers[from];
      if (to - from === 1 && rowNumber !== undefined) {
        rejected.push({ rowNumber, key: chunk.keys[from] ?? null, column: columnOf(error), code });
        return;
      }
      const half = from + Math.ceil((to - from) / 2);
      await insertOrReject(chunk, from, half);
      await insertOrReject(chunk, half, to);
    }
  }

  async function next(): Promise<void> {
    await onItsWay;
    if (waiting.rowNumbers.length === 0) return;
    onItsWay = loadOrInsert(waiting);
    waiting = spare ?? emptyChunk();
    spare = undefined;
    // The next `write` or `flush` reports the failure.
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
    for (const [at, { column, encode }] of encoded.entries()) {
      const field = encodeCell(encode, column, batch.columns[at]?.[row] ?? null);
      if (typeof field !== 'string') {
        reject(batch, row, at, field.code);
        return;
      }
      fields[at] = field;
    }
    waiting.literals.add(`,(${fields.join(',')})`);
    if (load) waiting.lines.add(lineOf(fields));
    waiting.rowNumbers.push(rowNumber);
    if (keys.length > 0) waiting.keys.push(keyOf(batch, row));
  }

  return {
    write: async (batch, refused) => {
      for (let row = 0; row < batch.rowCount; row++) {
        addRow(batch, row, refused.get(row));
        if (waiting.rowNumbers.length >= rowsMax || waiting.literals.size() >= bytesWanted) await next();
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

/** Splits a chunk into ranges for one `INSERT` each: from the first row to before the second. */
function* partsOf(literals: RowBytes): Generator<readonly [number, number]> {
  let from = 0;
  for (let to = 1; to <= literals.rows(); to++) {
    const isFull = to - from >= insertRowsMax || literals.part(from, to).length >= insertBytesWanted;
    if (!isFull && to < literals.rows()) continue;
    yield [from, to];
    from = to;
  }
}

/** Value that the server would store differently. */
class ChangedValue extends Error {
  override readonly name = 'ChangedValue';
}

const doubledEntry = 1062;

/** Error numbers that concern the values of one row. */
const rejections = new Map<number, RejectionCode>([
  [1048, 'null-value'],
  [1264, 'out-of-range'],
  [1265, 'invalid-value'],
  [1292, 'invalid-time'],
  [1366, 'invalid-value'],
  [1406, 'too-long'],
  [1411, 'invalid-time'],
  [1690, 'out-of-range'],
  [3140, 'invalid-value'],
  [3819, 'check-failed'],
  [4025, 'check-failed'],
]);

const numberOf = (error: unknown): number =>
  error instanceof Error && 'errno' in error ? Number(error.errno) : 0;

function rejectionOf(error: unknown): RejectionCode | undefined {
  if (error instanceof ChangedValue) return 'inexact';
  const isText = error instanceof Error && error.message.startsWith('Incorrect string value');
  return isText ? 'invalid-text' : rejections.get(numberOf(error));
}

export const isDoubled = (error: unknown): boolean => numberOf(error) === doubledEntry;

/** Replaces the server's own message, which repeats the value. */
export function doubledKey(error: unknown): WriteRefusal {
  const [, key = 'of the destination'] = /for key '([^']+)'/.exec(String(error)) ?? [];
  return new WriteRefusal('key-not-unique', `Two rows have the same value in the unique key ${key}.`);
}

const columnOf = (error: unknown): string | null =>
  /for column (?:`[^`]*`\.`[^`]*`\.)?[`']([^`']+)[`']|^Column '([^']+)'/
    .exec(error instanceof Error ? error.message : '')
    ?.slice(1)
    .find((name) => name !== undefined) ?? null;
