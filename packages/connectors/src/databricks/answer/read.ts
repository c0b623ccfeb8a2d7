import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import type { ExecuteOptions, ResultStream } from '../../port.ts';
import { type Batch, batchOfRows, type Cell } from '../../values.ts';
import { unreadableAnswer } from '../errors.ts';
import type { Request, Session, Succeeded } from '../session.ts';
import { type ReadLimits, readChunk } from './answer.ts';
import { databricksKind, databricksType, rowReader } from './types.ts';

export type ReadOptions = ReadLimits &
  Pick<ExecuteOptions, 'decimalsAsText' | 'wantOrigins' | 'rowsWanted'> & {
    /** The session stays open after the rows, for further requests. Default: the session ends with the rows. */
    readonly keepsSession?: boolean;
  };

/** Runs a statement that the service wrote, or that has passed the gate. Resolves when the columns are known. */
export async function startRead(
  session: Session,
  request: Request,
  options: ReadOptions,
): Promise<ResultStream> {
  const { maxRows, rowsWanted = maxRows, maxBytes, maxCellBytes } = options;
  // The row after the allowed or requested ones shows that the result has more rows.
  const rowLimit = Math.min(maxRows, rowsWanted) + 1;
  const answer = await session.ask(request, { maxRows, maxBytes, maxCellBytes, rowLimit });
  return {
    columns: answer.head.columns.map((column) => ({
      name: column.name,
      kind: databricksKind(column),
      databaseType: databricksType(column),
      // Databricks does not report the origins of columns.
      ...(options.wantOrigins ? { origin: null } : {}),
    })),
    batches: readBatches({ session, answer, options }),
    close: session.abandon,
  };
}

type Walk = { readonly session: Session; readonly answer: Succeeded; readonly options: ReadOptions };

const batchRowsMax = 2_000;

async function* readBatches(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { session, answer, options } = walk;
  const { columns, totalRows, isTruncated } = answer.head;
  const { maxRows, rowsWanted = Number.POSITIVE_INFINITY } = options;
  const readRow = rowReader(columns, options);
  let isWhole = false;
  let rowCount = 0;
  try {
    for await (const rows of rowTexts(walk)) {
      rowCount += rows.length;
      if (rowCount > maxRows)
        throw new ConnectorError('too-many-rows', `The result has more than ${plural(maxRows, 'row')}.`);
      for (let from = 0; from < rows.length; from += batchRowsMax)
        yield batchOfRows(rows.slice(from, from + batchRowsMax).map(readRow), columns.length);
    }
    if (!isTruncated && rowCount !== totalRows) throw unreadableAnswer();
    // A truncated result without extra rows exceeded the limit on bytes. The limit on rows was reported above.
    if (isTruncated && rowCount <= rowsWanted)
      throw new ConnectorError(
        'too-many-bytes',
        `The result has more than ${plural(options.maxBytes, 'byte')}.`,
      );
    isWhole = true;
  } catch (error) {
    throw session.explain(error);
  } finally {
    if (!isWhole) void session.abandon();
    else if (!options.keepsSession) await session.finish();
  }
}

/** Yields the rows of all chunks. The announced and the received row counts must match; otherwise rows are missing. */
async function* rowTexts({
  session,
  answer,
  options,
}: Walk): AsyncGenerator<readonly string[], void, undefined> {
  const { chunkCount, chunkRows } = answer.head;
  for (let chunk = 0; chunk < Math.max(1, chunkCount); chunk++) {
    let count = 0;
    for await (const rows of chunk === 0 ? firstChunk(answer) : nextChunk(session, answer, chunk, options)) {
      count += rows.length;
      yield rows;
    }
    if (chunkRows && count !== (chunkRows[chunk] ?? 0)) throw unreadableAnswer();
  }
}

async function* firstChunk({ first, rest }: Succeeded): AsyncGenerator<readonly string[], void, undefined> {
  yield first;
  yield* rest;
}

async function* nextChunk(
  session: Session,
  { id, count }: Succeeded,
  chunk: number,
  limits: ReadLimits,
): AsyncGenerator<readonly string[], void, undefined> {
  yield* readChunk(await session.askChunk(id, chunk), { id, chunk }, limits, count);
}

/** Returns all rows of a short result. */
export async function readAll(
  session: Session,
  request: Request,
  options: Omit<ReadOptions, 'keepsSession'>,
): Promise<readonly (readonly Cell[])[]> {
  const { batches } = await startRead(session, request, { ...options, keepsSession: true });
  const rows: Cell[][] = [];
  for await (const { rowCount, columns: cells } of batches)
    for (let row = 0; row < rowCount; row++) rows.push(cells.map((column) => column[row] ?? null));
  return rows;
}
