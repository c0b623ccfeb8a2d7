import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import { createEarlyRows } from '../../http/early-rows.ts';
import type { ExecuteOptions, ResultStream } from '../../port.ts';
import { type Batch, batchOfRows, type Cell } from '../../values.ts';
import { unreadableAnswer } from '../errors.ts';
import type { Request, Session } from '../session.ts';
import { type ByteCount, type Piece, type ReadLimits, type ResultHead, readPieces } from './answer.ts';
import { rowReader, snowflakeKind, snowflakeType } from './types.ts';

export type ReadOptions = ReadLimits &
  Pick<ExecuteOptions, 'maxRows' | 'decimalsAsText' | 'wantOrigins'> & {
    /** The session stays open after the rows, for further requests. Default: the session ends with the rows. */
    readonly keepsSession?: boolean;
  };

/** Runs a statement that the service wrote, or that has passed the gate. Resolves when the columns are known. */
export async function startRead(
  session: Session,
  request: Request,
  options: ReadOptions,
): Promise<ResultStream> {
  const { handle, answer } = await session.ask(request);
  const count: ByteCount = { bytes: 0 };
  const pieces = readPieces({ handle, answer }, options, count);
  const { head, rows } = await readFirst(pieces, options);
  // Further parts can only be requested by the handle.
  if (handle === '' && head.partRows.length > 1) throw unreadableAnswer();
  return {
    columns: head.columns.map((column) => ({
      name: column.name,
      kind: snowflakeKind(column),
      databaseType: snowflakeType(column),
      // Snowflake does not report the origins of columns.
      ...(options.wantOrigins ? { origin: null } : {}),
    })),
    batches: readBatches({ session, handle, head, first: { head, rows }, pieces, count, options }),
    close: session.abandon,
  };
}

type First = { readonly head: ResultHead; readonly rows: readonly string[] };

/** Reads the head of the result, and the rows that arrived with it or before it. */
async function readFirst(pieces: AsyncGenerator<Piece>, { maxRows }: ReadOptions): Promise<First> {
  const early = createEarlyRows(maxRows);
  for (;;) {
    const next = await pieces.next();
    if (next.done) throw unreadableAnswer();
    early.add(next.value.rows);
    if (next.value.head) return { head: next.value.head, rows: early.rows };
  }
}

type Walk = {
  readonly session: Session;
  readonly handle: string;
  readonly head: ResultHead;
  readonly first: Piece;
  readonly pieces: AsyncGenerator<Piece>;
  readonly count: ByteCount;
  readonly options: ReadOptions;
};

const batchRowsMax = 2_000;

async function* readBatches(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { session, head, options } = walk;
  const { columns, partRows } = head;
  const readRow = rowReader(columns, options);
  let isWhole = false;
  let rowCount = 0;
  try {
    for (const [part, expected] of partRows.entries()) {
      let partCount = 0;
      for await (const { rows } of part === 0 ? firstPart(walk) : nextPart(walk, part)) {
        partCount += rows.length;
        rowCount += rows.length;
        if (rowCount > options.maxRows)
          throw new ConnectorError(
            'too-many-rows',
            `The result has more than ${plural(options.maxRows, 'row')}.`,
          );
        for (let from = 0; from < rows.length; from += batchRowsMax)
          yield batchOfRows(rows.slice(from, from + batchRowsMax).map(readRow), columns.length);
      }
      // The announced and the received row counts must match; otherwise rows are missing.
      if (partCount !== expected) throw unreadableAnswer();
    }
    isWhole = true;
  } catch (error) {
    throw session.explain(error);
  } finally {
    if (!isWhole) void session.abandon();
    else if (!options.keepsSession) await session.finish();
  }
}

async function* firstPart({ first, pieces }: Walk): AsyncGenerator<Piece, void, undefined> {
  yield first;
  yield* pieces;
}

async function* nextPart(
  { session, handle, options, count }: Walk,
  part: number,
): AsyncGenerator<Piece, void, undefined> {
  yield* readPieces({ handle, answer: await session.askPart(handle, part) }, options, count);
}

/** Returns all rows of a short result. */
export async function readAll(
  session: Session,
  request: Request,
  options: Omit<ReadOptions, 'keepsSession'>,
): Promise<{ readonly names: readonly string[]; readonly rows: readonly (readonly Cell[])[] }> {
  const { columns, batches } = await startRead(session, request, { ...options, keepsSession: true });
  const rows: Cell[][] = [];
  for await (const { rowCount, columns: cells } of batches)
    for (let row = 0; row < rowCount; row++) rows.push(cells.map((column) => column[row] ?? null));
  return { names: columns.map(({ name }) => name), rows };
}
