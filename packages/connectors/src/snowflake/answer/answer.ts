import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import type { HttpAnswer } from '../../http/client.ts';
import { parseDescription } from '../../http/json/bounded-json.ts';
import { property } from '../../http/json/json-property.ts';
import { JsonScanner } from '../../http/json/json-scanner.ts';
import { readJson } from '../../http/json/small-json.ts';
import type { ExecuteOptions } from '../../port.ts';
import { notSnowflake, type SentText, snowflakeError, unreadableAnswer } from '../errors.ts';
import { type SnowflakeConnection, targetOf } from '../settings.ts';
import type { SnowflakeColumn } from './types.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Throws for an answer about another statement. */
export function assertHandle(status: unknown, handle: string): void {
  if ((property(status, 'statementHandle') ?? handle) !== handle) throw unreadableAnswer();
}

/** Reads the handle of a running statement. It becomes part of addresses, so only a UUID is accepted. */
export function readHandle(status: unknown): string {
  const handle = property(status, 'statementHandle');
  if (typeof handle !== 'string' || !uuid.test(handle)) throw unreadableAnswer();
  return handle;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const tooManyRequests = 429;

/** Converts an answer without a result into an error of the port. */
export async function refusedBy(
  answer: HttpAnswer,
  connection: SnowflakeConnection,
  sent?: SentText,
): Promise<ConnectorError> {
  const { host, port } = targetOf(connection);
  const { status } = answer;
  if (redirectStatuses.has(status)) {
    const message = `${host}:${port} answers with a redirect, which is not followed. Check the account host.`;
    return new ConnectorError('connection-failed', message);
  }
  const failure = snowflakeError(status, await readJson(answer), connection, sent);
  if (failure) return failure;
  if (status === 401)
    return new ConnectorError('authentication-failed', `${host}:${port} refuses the sign-in.`);
  if (status === tooManyRequests || status >= 500)
    return new ConnectorError('statement-failed', `Snowflake is too busy or fails (status ${status}).`, {
      origin: 'Service',
      hint: 'Try again later.',
    });
  return notSnowflake(connection);
}

/** Description of a result. */
export type ResultHead = {
  readonly columns: readonly SnowflakeColumn[];
  /** Number of rows of each part of the result. */
  readonly partRows: readonly number[];
};

const headBytesMax = 8 * 1024 * 1024;
const columnsMax = 10_000;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads `resultSetMetaData`. */
function readHead(text: string): ResultHead {
  const head = parseDescription(text);
  const rowType = property(head, 'rowType');
  const partitions = property(head, 'partitionInfo');
  const total = property(head, 'numRows');
  if (!Array.isArray(rowType) || rowType.length === 0 || rowType.length > columnsMax || !isCount(total))
    throw unreadableAnswer();
  const partRows = Array.isArray(partitions)
    ? partitions.map((part: unknown) => property(part, 'rowCount'))
    : [total];
  if (!partRows.every(isCount) || partRows.reduce((sum, rows) => sum + rows, 0) !== total)
    throw unreadableAnswer();
  return { columns: rowType.map(readColumn), partRows };
}

function readColumn(column: unknown): SnowflakeColumn {
  const [name, type] = [property(column, 'name'), property(column, 'type')];
  const [precision, scale] = [property(column, 'precision') ?? 0, property(column, 'scale') ?? 0];
  const length = property(column, 'length') ?? 0;
  if (typeof name !== 'string' || typeof type !== 'string') throw unreadableAnswer();
  if (!isCount(precision) || !isCount(scale) || !isCount(length)) throw unreadableAnswer();
  return { name, type: type.toUpperCase(), precision, scale, length };
}

/** A row may have this many times the bytes of one value. */
const rowCells = 4;

export type ReadLimits = Pick<ExecuteOptions, 'maxBytes' | 'maxCellBytes'>;

/** Bytes of all parts of a result together. */
export type ByteCount = { bytes: number };

/** Some rows as JSON texts. The head is undefined until it has arrived. */
export type Piece = { readonly head: ResultHead | undefined; readonly rows: readonly string[] };

/** Answer, and the handle of its statement. An empty handle is unknown. */
export type Handled = { readonly handle: string; readonly answer: HttpAnswer };

/**
 * Cuts the rows out of an answer while it arrives. Limits are checked before parsing, and an answer about another
 * statement is refused.
 */
export async function* readPieces(
  { handle, answer: { body } }: Handled,
  { maxBytes, maxCellBytes }: ReadLimits,
  count: ByteCount,
): AsyncGenerator<Piece, void, undefined> {
  const scanner = new JsonScanner({
    rows: ['data'],
    wanted: { head: ['resultSetMetaData'], handle: ['statementHandle'] },
    maxWantedBytes: headBytesMax,
    maxRowBytes: rowCells * maxCellBytes,
  });
  let head: ResultHead | undefined;
  const assertOf = () => {
    const text = scanner.found('handle');
    if (handle !== '' && text !== undefined && text !== JSON.stringify(handle)) throw unreadableAnswer();
  };
  for await (const chunk of body) {
    count.bytes += chunk.length;
    if (count.bytes > maxBytes)
      throw new ConnectorError('too-many-bytes', `The result has more than ${plural(maxBytes, 'byte')}.`);
    const rows = asSnowflake(() => scanner.push(chunk));
    assertOf();
    const text = scanner.found('head');
    if (!head && text !== undefined) head = readHead(text);
    if (rows.length > 0 || head) yield { head, rows };
  }
  asSnowflake(() => scanner.end());
}

/** Converts errors of the scanner about the form of an answer into an unreadable answer. */
function asSnowflake<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (
      error instanceof ConnectorError &&
      error.code !== 'statement-failed' &&
      error.code !== 'connection-lost'
    )
      throw error;
    throw unreadableAnswer(error);
  }
}
