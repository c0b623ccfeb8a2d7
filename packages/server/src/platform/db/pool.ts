import { driverTypes, openPool as openAnyPool, type SessionBounds, timedQuery } from '@svc/jobs';
import { followErrors } from '@svc/pg-wire';
import type pg from 'pg';

/** Settings of the pool for the metadata database. */
export type PoolOptions = {
  readonly connection: pg.ClientConfig;
  /** Maximum number of connections. Default 20. */
  readonly max?: number;
  /** Maximum time that a request waits for a free connection. Default 5,000 ms. */
  readonly waitTimeoutMs?: number;
  /** Time after which the server ends a statement. Default 20,000 ms. */
  readonly statementTimeoutMs?: number;
  /**
   * Deadline of a statement in this process, for a silent server: the session is closed after it. Longer than
   * `statementTimeoutMs`, so that a responsive server answers first. Default 25,000 ms.
   */
  readonly answerTimeoutMs?: number;
  /**
   * Interval in ms at which another session checks if the server still executes a statement, for long statements.
   * Default: no check.
   */
  readonly checkEveryMs?: number;
  readonly applicationName?: string;
  /** Called once per lost connection, idle or in use. Never fatal. */
  readonly onLost?: (error: Error) => void;
  /** Called for each statement that the server refused because its disk is full. */
  readonly onFull?: () => void;
};

/** With the wait for a connection (5 s) and one more attempt to connect (5 s), a request is answered within 35 s. */
const answerTimeoutMs = 25_000;
const statementTimeoutMs = 20_000;
/** Releases the locks of a transaction with a silent client before its work is retried. */
const idleTransactionTimeoutMs = 15_000;
/** SQLSTATE of a server whose disk is full. */
const diskFull = '53100';
const int8Oid = 20;
const timestamptzOid = 1184;
const numericOid = 1700;

/** Parses whole numbers of the metadata database as safe integers. A larger value is a defect and throws. */
function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The number ${text} is too large to be exact.`);
  return value;
}

const parseAnyTimestamp: (text: string) => unknown = driverTypes.getTypeParser(timestamptzOid, 'text');
const utcSuffix = '+00';

/**
 * Parses a timestamp. Lists have two timestamps per row, so the common form is fast: one replacement turns a UTC
 * time of the years 0 to 9999 into a text that `Date` parses fastest. Any other text takes the ordinary path.
 */
export const parseTimestamp = (text: string): unknown =>
  text.endsWith(utcSuffix) && text[4] === '-'
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -utcSuffix.length)}Z`)
    : parseAnyTimestamp(text);

/** Type parsers of the metadata pool: `int8` as a safe integer, `numeric` as a number, the rest as in pg. */
export const metadataTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8Oid) return parseSafeInteger;
    if (oid === numericOid) return Number;
    if (oid === timestamptzOid && format !== 'binary') return parseTimestamp;
    return driverTypes.getTypeParser(oid, format as 'text');
  },
};

const millisecondsEnd = 23;

/**
 * Returns a timestamp in the API's form, `2026-01-02T03:04:05.678Z`, without creating a `Date`: lists contain two
 * per row.
 */
export const timestampText = (text: string): string => {
  if (!text.endsWith(utcSuffix) || text[4] !== '-') {
    const time = parseAnyTimestamp(text);
    return time instanceof Date ? time.toISOString() : text;
  }
  const time = text.slice(0, -utcSuffix.length);
  const exact =
    time.length === 19 ? `${time}.000` : time.padEnd(millisecondsEnd, '0').slice(0, millisecondsEnd);
  return `${exact.slice(0, 10)}T${exact.slice(11)}Z`;
};

/** Type parsers for statements whose timestamps go into responses unchanged. */
export const timesAsText: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === timestamptzOid && format !== 'binary'
      ? timestampText
      : metadataTypes.getTypeParser(oid, format as 'text'),
};

/** Opens the pool for the metadata database. Close it with `end()`. */
export function openPool(options: PoolOptions): pg.Pool {
  const config: pg.PoolConfig & SessionBounds = {
    ...options.connection,
    types: metadataTypes,
    max: options.max ?? 20,
    connectionTimeoutMillis: options.waitTimeoutMs ?? 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs ?? statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    answerTimeoutMs: options.answerTimeoutMs ?? answerTimeoutMs,
    ...(options.checkEveryMs !== undefined && { checkEveryMs: options.checkEveryMs }),
    application_name: options.applicationName ?? 'svc',
  };
  const pool = openAnyPool(config, (error) => options.onLost?.(error));
  const { onFull } = options;
  if (onFull) pool.on('connect', (client) => followErrors(client, (state) => state === diskFull && onFull()));
  return pool;
}

/** Executes one short statement on a pool. Destroys a session without an answer within `timeoutMs`. */
export const probePool = (pool: Pick<pg.Pool, 'query'>, timeoutMs: number): Promise<unknown> =>
  pool.query(timedQuery({ text: 'select 1' }, timeoutMs));
