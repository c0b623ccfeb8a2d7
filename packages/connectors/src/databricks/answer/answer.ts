import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import type { HttpAnswer } from '../../http/client.ts';
import { createEarlyRows } from '../../http/early-rows.ts';
import { parseDescription } from '../../http/json/bounded-json.ts';
import { property } from '../../http/json/json-property.ts';
import { JsonScanner } from '../../http/json/json-scanner.ts';
import { readJson } from '../../http/json/small-json.ts';
import type { ExecuteOptions } from '../../port.ts';
import { databricksError, notDatabricks, type SentText, unreadableAnswer } from '../errors.ts';
import { type DatabricksConnection, targetOf } from '../settings.ts';
import type { DatabricksColumn } from './types.ts';

/** Context for reading an answer: its connection, the secrets to hide, and the sent statement. */
export type StatementContext = {
  readonly connection: DatabricksConnection;
  readonly secrets: readonly string[];
  readonly sent?: SentText | undefined;
};

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const tooManyRequests = 429;

/** Converts an answer without a result into an error of the port. */
export async function refusedBy(answer: HttpAnswer, context: StatementContext): Promise<ConnectorError> {
  const { connection, ...others } = context;
  const { host, port } = targetOf(connection);
  const { status } = answer;
  if (redirectStatuses.has(status)) {
    const message = `${host}:${port} answers with a redirect, which is not followed. Check the workspace host.`;
    return new ConnectorError('connection-failed', message);
  }
  const failure = databricksError({ status, body: await readJson(answer), ...others });
  if (failure) return failure;
  if (status === 401)
    return new ConnectorError('authentication-failed', `${host}:${port} refuses the sign-in.`);
  if (status === tooManyRequests || status >= 500)
    return new ConnectorError('statement-failed', `Databricks is too busy or fails (status ${status}).`, {
      origin: 'Service',
      hint: 'Try again later.',
    });
  return notDatabricks(connection);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the id of a statement or a session. It becomes part of addresses, so only a UUID is accepted. */
export function readId(id: unknown): string {
  if (typeof id !== 'string' || !uuid.test(id)) throw unreadableAnswer();
  return id;
}

/** Description of a result. */
export type ResultHead = {
  readonly columns: readonly DatabricksColumn[];
  readonly totalRows: number;
  readonly chunkCount: number;
  /** Number of rows of each chunk; undefined for an answer without them. */
  readonly chunkRows: readonly number[] | undefined;
  /** A limit of the request left rows out. */
  readonly isTruncated: boolean;
};

const headBytesMax = 8 * 1_024 * 1_024;
const columnsMax = 10_000;
const chunksMax = 10_000;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads `manifest`. */
function readHead(text: string): ResultHead {
  const manifest = parsed(text);
  const columns = property(property(manifest, 'schema'), 'columns');
  const [totalRows, chunkCount] = ['total_row_count', 'total_chunk_count'].map(
    (name) => property(manifest, name) ?? 0,
  );
  if (!Array.isArray(columns) || columns.length === 0 || columns.length > columnsMax)
    throw unreadableAnswer();
  if (!isCount(totalRows) || !isCount(chunkCount) || chunkCount > chunksMax) throw unreadableAnswer();
  if ((property(manifest, 'format') ?? 'JSON_ARRAY') !== 'JSON_ARRAY') throw unreadableAnswer();
  const isTruncated = property(manifest, 'truncated') === true;
  const chunkRows = readChunkRows(property(manifest, 'chunks'), chunkCount);
  const sum = chunkRows?.reduce((rows, count) => rows + count, 0);
  // In a truncated result, the total may count all rows.
  if (!isTruncated && sum !== undefined && sum !== totalRows) throw unreadableAnswer();
  return { columns: columns.map(readColumn), totalRows, chunkCount, chunkRows, isTruncated };
}

function readColumn(column: unknown): DatabricksColumn {
  const [name, text] = [property(column, 'name'), property(column, 'type_text')];
  const type = typeof text === 'string' && text !== '' ? text : property(column, 'type_name');
  if (typeof name !== 'string' || typeof type !== 'string') throw unreadableAnswer();
  return { name, type };
}

function readChunkRows(chunks: unknown, chunkCount: number): number[] | undefined {
  if (chunks === undefined) return undefined;
  if (!Array.isArray(chunks) || chunks.length !== chunkCount) throw unreadableAnswer();
  const rows = chunks.map((chunk: unknown) => property(chunk, 'row_count') ?? 0);
  if (!rows.every(isCount)) throw unreadableAnswer();
  return rows;
}

/** A row may have this many times the bytes of one value. */
const rowCells = 4;

export type ReadLimits = Pick<ExecuteOptions, 'maxRows' | 'maxBytes' | 'maxCellBytes'>;

/** Bytes of all chunks of a result together. */
export type ByteCount = { bytes: number };

/** JSON texts of rows, in the order of their arrival. */
export type RowTexts = AsyncGenerator<readonly string[], void, undefined>;

/** Answer about a statement. */
export type StatementAnswer =
  | { readonly state: 'running'; readonly id: string }
  | { readonly state: 'failed'; readonly error: ConnectorError }
  | {
      readonly state: 'succeeded';
      readonly id: string;
      readonly head: ResultHead;
      /** Rows that arrived before the head was complete, and the following rows of the same answer. */
      readonly first: readonly string[];
      readonly rest: RowTexts;
      readonly count: ByteCount;
    };

/**
 * Reads an answer until its state is known. Limits are checked before the rows are parsed.
 *
 * @param expected  id of the requested statement; an answer with another id is refused
 */
export async function readStatement(
  answer: HttpAnswer,
  limits: ReadLimits,
  context: StatementContext,
  expected?: string,
): Promise<StatementAnswer> {
  const scanner = scannerFor(['result', 'data_array'], limits);
  const count: ByteCount = { bytes: 0 };
  const rest = scan(answer, scanner, limits, count);
  const early = createEarlyRows(limits.maxRows);
  let status: unknown;
  for (;;) {
    const next = await rest.next();
    if (!next.done) early.add(next.value);
    const [statusText, manifest, id] = ['status', 'manifest', 'id'].map((name) => scanner.found(name));
    // Parses the status once: an answer may arrive in many pieces.
    if (status === undefined && statusText !== undefined) status = parsed(statusText);
    assertOf(scanner, { id: expected, chunk: '0' });
    if (property(status, 'state') === 'SUCCEEDED' && manifest !== undefined && id !== undefined)
      return {
        state: 'succeeded',
        id: readId(parsed(id)),
        head: readHead(manifest),
        first: early.rows,
        rest,
        count,
      };
    if (next.done) return readUnfinished(id === undefined ? undefined : parsed(id), status, context);
  }
}

const runningStates = new Set<unknown>(['PENDING', 'RUNNING']);

function readUnfinished(id: unknown, status: unknown, { secrets, sent }: StatementContext): StatementAnswer {
  const state = property(status, 'state');
  if (runningStates.has(state)) return { state: 'running', id: readId(id) };
  const sqlState = property(status, 'sql_state');
  const failure = databricksError({ body: property(status, 'error'), sqlState, secrets, sent });
  if (state === 'FAILED' && failure) return { state: 'failed', error: failure };
  if (state !== 'FAILED' && state !== 'CANCELED' && state !== 'CLOSED') throw unreadableAnswer();
  const text =
    state === 'FAILED'
      ? 'Databricks failed to run the statement, without a word.'
      : 'Databricks ended the statement.';
  const code = state === 'FAILED' ? 'statement-failed' : 'cancelled';
  return { state: 'failed', error: failure ?? new ConnectorError(code, text, { origin: 'Service' }) };
}

/** Further chunk of a statement's result, by its number from 1. */
export type Chunk = { readonly id: string; readonly chunk: number };

/** Yields the rows of a further chunk. Refuses an answer of another chunk or another statement. */
export async function* readChunk(
  answer: HttpAnswer,
  { id, chunk }: Chunk,
  limits: ReadLimits,
  count: ByteCount,
): RowTexts {
  const scanner = scannerFor(['data_array'], limits);
  const expected = { id, chunk: String(chunk) };
  for await (const rows of scan(answer, scanner, limits, count)) {
    assertOf(scanner, expected);
    yield rows;
  }
  assertOf(scanner, expected);
}

/** Throws unless the received ids match the request. Ids that have not arrived yet are not checked. */
function assertOf(
  scanner: JsonScanner,
  expected: { readonly id: string | undefined; readonly chunk: string },
): void {
  const [id, chunk] = [scanner.found('id'), scanner.found('chunk')];
  if (id !== undefined && expected.id !== undefined && id !== JSON.stringify(expected.id))
    throw unreadableAnswer();
  if (chunk !== undefined && chunk !== expected.chunk) throw unreadableAnswer();
}

const scannerFor = (rows: readonly string[], { maxCellBytes }: ReadLimits): JsonScanner =>
  new JsonScanner({
    rows,
    mayLackRows: true,
    maxWantedBytes: headBytesMax,
    maxRowBytes: rowCells * maxCellBytes,
    wanted: {
      id: ['statement_id'],
      status: ['status'],
      manifest: ['manifest'],
      chunk: [...rows.slice(0, -1), 'chunk_index'],
    },
  });

async function* scan(
  { body }: HttpAnswer,
  scanner: JsonScanner,
  { maxBytes }: ReadLimits,
  count: ByteCount,
): RowTexts {
  for await (const chunk of body) {
    count.bytes += chunk.length;
    if (count.bytes > maxBytes)
      throw new ConnectorError('too-many-bytes', `The result has more than ${plural(maxBytes, 'byte')}.`);
    yield safely(() => scanner.push(chunk));
  }
  safely(() => scanner.end());
}

/** Parses a JSON text. Throws for an invalid one. */
function parsed(text: string): unknown {
  const value = parseDescription(text);
  if (value === undefined) throw unreadableAnswer();
  return value;
}

const ownCodes = new Set(['too-many-bytes', 'value-too-large']);

/** Converts errors of the scanner, except for exceeded limits, into an unreadable answer. */
function safely<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConnectorError && ownCodes.has(error.code)) throw error;
    throw unreadableAnswer(error);
  }
}
