import type { RejectedRow } from '../../writers/port.ts';
import { createRowBytes, type RowBytes } from '../../writers/row-bytes.ts';
import type { MysqlColumn } from './describe.ts';
import { createRowLoader } from './load-rows.ts';
import { quotedList } from './names.ts';
import { ChangedValue, columnOf, doubledKey, isDoubled, numberOf, rejectionOf } from './rejections.ts';
import type { WritingSession } from './session.ts';

/** Limits of one statement or chunk. */
export type ChunkLimits = { readonly rowsMax: number; readonly bytesWanted: number };

/** Limits of one `INSERT`. Every server accepts packets of this size. */
export const insertLimits: ChunkLimits = { rowsMax: 1_000, bytesWanted: 256 * 1024 };
/** Limits of one load. If one of its rows is refused, all its rows are rolled back. */
export const loadLimits: ChunkLimits = { rowsMax: 5_000, bytesWanted: 1024 * 1024 };

/** Rows that are sent together. */
export type Chunk = {
  /** Rows in the form of an `INSERT`, each with a comma before it. */
  readonly literals: RowBytes;
  /** Rows in the form of `LOAD DATA`; empty without loading. */
  readonly lines: RowBytes;
  readonly rowNumbers: number[];
  readonly keys: (string | null)[];
};

export const emptyChunk = (): Chunk => ({
  literals: createRowBytes(),
  lines: createRowBytes(),
  rowNumbers: [],
  keys: [],
});

export function clearChunk(chunk: Chunk): void {
  chunk.literals.clear();
  chunk.lines.clear();
  chunk.rowNumbers.length = 0;
  chunk.keys.length = 0;
}

/** Result of a chunk: its stored rows, and whether no connection can still reference its bytes. */
type SentChunk = { readonly stored: number; readonly isReusable: boolean };

/** Statements that begin, retain and roll back a chunk: in its own transaction, or within the committing one. */
const ownTransaction = { begin: 'start transaction', retain: 'commit', rollBack: 'rollback' };
const withinTransaction = {
  begin: 'savepoint svc_chunk',
  retain: 'release savepoint svc_chunk',
  rollBack: 'rollback to savepoint svc_chunk',
};

/**
 * Creates a sender of chunks. It uses `LOAD DATA LOCAL` if the server allows it, and `INSERT` otherwise or for a chunk
 * that did not load unchanged. It finds rejected rows by bisection.
 */
export function createChunkSender(options: {
  readonly session: Pick<WritingSession, 'run'>;
  /** Quoted name. */
  readonly table: string;
  readonly columns: readonly MysqlColumn[];
  /** The server accepts `LOAD DATA LOCAL`. */
  readonly loads: boolean;
  /** The committing transaction has begun. If the server ends it, the next chunk fails. */
  readonly isInTransaction: boolean;
  readonly reject: (row: RejectedRow) => void;
}): (chunk: Chunk) => Promise<SentChunk> {
  const { session, table, columns, reject } = options;
  const load = options.loads ? createRowLoader(session, table, columns) : undefined;
  const { begin, retain, rollBack } = options.isInTransaction ? withinTransaction : ownTransaction;
  const insertInto = `insert into ${table} (${quotedList(columns.map(({ name }) => name))}) values `;

  /** Inserts rows. A warning reports a changed value, so the rows are rolled back. */
  async function insert({ literals }: Chunk, from: number, to: number): Promise<void> {
    await session.run(begin);
    // Removes the comma before the first row.
    const { warnings } = await session.run(insertInto + literals.part(from, to).toString('utf8', 1));
    if (warnings > 0) throw new ChangedValue();
    await session.run(retain);
  }

  /** Returns the number of inserted rows. */
  async function insertOrReject(chunk: Chunk, from: number, to: number): Promise<number> {
    try {
      await insert(chunk, from, to);
      return to - from;
    } catch (error) {
      if (isDoubled(error)) throw doubledKey(error);
      const code = rejectionOf(error);
      if (code === undefined) throw error;
      await session.run(rollBack);
      const rowNumber = chunk.rowNumbers[from];
      if (to - from === 1 && rowNumber !== undefined) {
        reject({ rowNumber, key: chunk.keys[from] ?? null, column: columnOf(error), code });
        return 0;
      }
      const half = from + Math.ceil((to - from) / 2);
      const inserted = await insertOrReject(chunk, from, half);
      return inserted + (await insertOrReject(chunk, half, to));
    }
  }

  /** Loads the rows. Returns false if they did not load unchanged: then the caller must insert them. */
  async function loadUnchanged({ lines, rowNumbers }: Chunk): Promise<boolean> {
    if (!load) return false;
    await session.run(begin);
    const rows = rowNumbers.length;
    const isUnchanged = await load(lines.part(0, rows), rows).catch((error: unknown) => {
      // The rows are inserted again, which reports the reason of the rejection.
      if (numberOf(error) > 0) return false;
      throw error;
    });
    await session.run(isUnchanged ? retain : rollBack);
    return isUnchanged;
  }

  return async (chunk) => {
    if (await loadUnchanged(chunk)) return { stored: chunk.rowNumbers.length, isReusable: true };
    let stored = 0;
    for (const [from, to] of insertRanges(chunk.literals)) stored += await insertOrReject(chunk, from, to);
    // The connection may still reference the bytes of a failed load.
    return { stored, isReusable: !load };
  };
}

/** Splits a chunk into ranges for one `INSERT` each: from the first row to before the second. */
function* insertRanges(literals: RowBytes): Generator<readonly [number, number]> {
  const { rowsMax, bytesWanted } = insertLimits;
  let from = 0;
  for (let to = 1; to <= literals.rows(); to++) {
    const isFull = to - from >= rowsMax || literals.part(from, to).length >= bytesWanted;
    if (!isFull && to < literals.rows()) continue;
    yield [from, to];
    from = to;
  }
}
