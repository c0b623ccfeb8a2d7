import {
  driverTypes,
  type Executor,
  guardPool,
  isDatabaseAway,
  openPool,
  type SessionBounds,
  timedQuery,
} from '@svc/jobs';
import type pg from 'pg';

const int8Oid = 20;
const numericOid = 1700;
/** Deadline of a query. */
const queryTimeoutMs = 15_000;
const ownPoolMax = 5;

/** Type parsers that return numbers and dates, independent of the pool's settings. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid || oid === numericOid ? Number : driverTypes.getTypeParser(oid, format as 'text'),
};

/** Database access of the dashboard. */
export type Db = {
  readonly pool: pg.Pool;
  /** Quoted schema name. */
  readonly schema: string;
  /** Unquoted schema name, also the channel of the hints. */
  readonly channel: string;
  readonly rows: <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /**
   * Queries with index scans only, so that outdated statistics do not lead to a scan and sort of a whole table. Only
   * for statements whose tables all have a suitable index.
   */
  readonly walk: <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Runs work in a transaction. An error rolls it back. */
  readonly transaction: <T>(work: (executor: Executor) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

const schemaPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** Creates the database access with a new pool or the caller's pool. */
export function openDb(
  database: { readonly pool: pg.Pool } | { readonly connection: pg.ClientConfig },
  schemaName: string,
  onLost: (error: Error) => void,
): Db {
  if (!schemaPattern.test(schemaName))
    throw new RangeError(`${JSON.stringify(schemaName)} is no schema's name.`);
  const ownPool = 'connection' in database ? openOwnPool(database.connection, onLost) : null;
  const pool = 'connection' in database ? ownPool : database.pool;
  if (!pool) throw new Error('The dashboard needs a pool or a connection.');
  guardPool(pool, onLost);
  const configOf = (text: string, values: readonly unknown[]): pg.QueryConfig =>
    timedQuery({ text, values: [...values], types }, queryTimeoutMs);
  return {
    pool,
    schema: `"${schemaName}"`,
    channel: schemaName,
    rows: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(configOf(text, values))).rows as Row[],
    walk: <Row>(text: string, values: readonly unknown[] = []) =>
      onClient(pool, walkBegin, async (client) => (await client.query(configOf(text, values))).rows as Row[]),
    transaction: (work) => onClient(pool, 'begin', work),
    close: async () => ownPool?.end(),
  };
}

function openOwnPool(connection: pg.ClientConfig, onLost: (error: Error) => void): pg.Pool {
  const config: pg.PoolConfig & SessionBounds = {
    ...connection,
    max: ownPoolMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    answerTimeoutMs: queryTimeoutMs,
    application_name: connection.application_name ?? 'svc-jobs-dashboard',
  };
  return openPool(config, onLost);
}

/** Begins a read-only transaction whose plans use only index scans. One round trip. */
const walkBegin =
  'begin read only; ' +
  ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_sort', 'jit']
    .map((name) => `set local ${name} = off; `)
    .join('') +
  'set local max_parallel_workers_per_gather = 0';

async function onClient<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot roll back is removed from the pool.
    await client.query('rollback').catch((cause: unknown) => {
      failure = cause instanceof Error ? cause : new Error('The connection was lost.');
    });
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Returns true for an error of an unavailable or overloaded database. A retry may succeed. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return isDatabaseAway(error) || /^(53|57014)/.test(code);
}

/** Returns true for an error of an invalid value, which is an error of the client. */
export const isBadValue = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^22/.test(String(error.code));
