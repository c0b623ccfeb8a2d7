import type { Batch } from '../../values.ts';
import { type RefusedRows, type RejectedRow, type RejectionCode, WriteRefusal } from '../../writers/port.ts';
import type { MysqlColumn } from './describe.ts';
import { encodeCell, encoderOf } from './encode.ts';
import { createRowLoader } from './load-rows.ts';
import { quotedList } from './names.ts';
import type { WritingSession } from './session.ts';

/** An `INSERT` takes so many rows, or so much text: no server refuses a packet of this size. */
const insertRowsMax = 1_000;
const insertCharactersWanted = 256 * 1024;
/** Rows that are loaded are taken back together where one of them is refused. */
const loadRowsMax = 5_000;
const loadCharactersWanted = 1024 * 1024;

/** The literals of one row. */
type Line = {
  readonly fields: readonly string[];
  readonly characters: number;
  readonly rowNumber: number;
  readonly key: string | null;
};

export type RowInserter = {
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  readonly flush: () => Promise<readonly RejectedRow[]>;
  /** Rows that have arrived. */
  readonly sent: () => number;
};

/** How a chunk begins, is kept and is taken back: as a transaction of its own, or within the one that commits it. */
const ownTransaction = { begin: 'start transaction', keep: 'commit', takeBack: 'rollback' };
const withinTransaction = {
  begin: 'savepoint svc_chunk',
  keep: 'release savepoint svc_chunk',
  takeBack: 'rollback to savepoint svc_chunk',
};

/**
 * Sends rows, a chunk while the next one is read: by `LOAD DATA LOCAL` where the server takes it, and by `INSERT` where
 * not, or where a chunk was not taken as it is. What the server rejects is looked for by halves.
 */
export function createRowInserter(options: {
  readonly session: Pick<WritingSession, 'run'>;
  /** Quoted. */
  readonly table: string;
  /** In the order of a batch's cells. */
  readonly columns: readonly MysqlColumn[];
  readonly keyColumns: readonly string[];
  /** The server takes `LOAD DATA LOCAL`. */
  readonly loads: boolean;
  /** The transaction that commits the rows has begun. Where the server ends it by itself, the next chunk fails. */
  readonly isInTransaction: boolean;
}): RowInserter {
  const { session, table, columns, keyColumns } = options;
  const load = options.loads ? createRowLoader(session, table, columns) : undefined;
  const rowsMax = load ? loadRowsMax : insertRowsMax;
  const charactersWanted = load ? loadCharactersWanted : insertCharactersWanted;
  const encoded = columns.map((column) => ({ column, encode: encoderOf(column) }));
  const keys = keyColumns.map((name) => columns.findIndex((column) => column.name === name));
  const { begin, keep, takeBack } = options.isInTransaction ? withinTransaction : ownTransaction;
  const start = `insert into ${table} (${quotedList(columns.map(({ name }) => name))}) values `;
  let lines: Line[] = [];
  let characters = 0;
  let rowNumber = 0;
  let sent = 0;
  let rejected: RejectedRow[] = [];
  let onItsWay: Promise<void> = Promise.resolve();

  /** A warning tells of a value that was changed: the rows are taken back. */
  async function send(chunk: readonly Line[]): Promise<void> {
    await session.run(begin);
    const { warnings } = await session.run(
      start + chunk.map(({ fields }) => `(${fields.join(',')})`).join(','),
    );
    if (warnings > 0) throw new ChangedValue();
    await session.run(keep);
    sent += chunk.length;
  }

  async function loadOrInsert(chunk: readonly Line[]): Promise<void> {
    if (load) {
      await session.run(begin);
      const isTaken = await load(chunk.map(({ fields }) => fields)).catch((error: unknown) => {
        // The rows are sent once more, and what stands against them is told then.
        if (numberOf(error) > 0) return false;
        throw error;
      });
      await session.run(isTaken ? keep : takeBack);
      if (isTaken) {
        sent += chunk.length;
        return;
      }
    }
    for (const part of partsOf(chunk)) await sendOrReject(part);
  }

  async function sendOrReject(chunk: readonly Line[]): Promise<void> {
    try {
      await send(chunk);
    } catch (error) {
      if (isDoubled(error)) throw doubledKey(error);
      const code = rejectionOf(error);
      if (code === undefined) throw error;
      await session.run(takeBack);
      const [only] = chunk;
      if (chunk.length === 1 && only) {
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
    onItsWay = loadOrInsert(chunk);
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
    const fields: string[] = [];
    for (const [at, { column, encode }] of encoded.entries()) {
      const field = encodeCell(encode, column, batch.columns[at]?.[row] ?? null);
      if (typeof field !== 'string') {
        reject(batch, row, at, field.code);
        return;
      }
      fields.push(field);
    }
    const length = fields.reduce((sum, field) => sum + field.length, 0);
    lines.push({ fields, characters: length, rowNumber, key: keyOf(batch, row) });
    characters += length;
  }

  return {
    write: async (batch, refused) => {
      for (let row = 0; row < batch.rowCount; row++) {
        addRow(batch, row, refused.get(row));
        if (lines.length >= rowsMax || characters >= charactersWanted) await next();
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

/** As many rows of a chunk as one `INSERT` takes, at a time. */
function* partsOf(chunk: readonly Line[]): Generator<readonly Line[]> {
  let part: Line[] = [];
  let characters = 0;
  for (const line of chunk) {
    part.push(line);
    characters += line.characters;
    if (part.length < insertRowsMax && characters < insertCharactersWanted) continue;
    yield part;
    [part, characters] = [[], 0];
  }
  if (part.length > 0) yield part;
}

/** A value that the server would keep otherwise than it came. */
class ChangedValue extends Error {
  override readonly name = 'ChangedValue';
}

const doubledEntry = 1062;

/** Numbers of errors that speak of one row's values. */
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

/** The server's own message repeats the value. */
export function doubledKey(error: unknown): WriteRefusal {
  const [, key = 'of the destination'] = /for key '([^']+)'/.exec(String(error)) ?? [];
  return new WriteRefusal('key-not-unique', `Two rows have the same value in the unique key ${key}.`);
}

const columnOf = (error: unknown): string | null =>
  /for column (?:`[^`]*`\.`[^`]*`\.)?[`']([^`']+)[`']|^Column '([^']+)'/
    .exec(error instanceof Error ? error.message : '')
    ?.slice(1)
    .find((name) => name !== undefined) ?? null;
