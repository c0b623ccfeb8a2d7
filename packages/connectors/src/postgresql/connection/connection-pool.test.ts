import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rowsOf } from '../../testing/results.ts';
import { createPostgresqlConnector } from '../index.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { type ConnectionPool, type ConnectionPoolOptions, createConnectionPool } from './connection-pool.ts';
import { createLoginGuard } from './login.ts';
import { connectSession } from './session.ts';

const limits = { maxRows: 10_000, maxBytes: 100_000_000, maxCellBytes: 1_000_000 };
const unhurried: ConnectionPoolOptions = { idleMs: 60_000 };
let database: TestDatabase;
let admin: pg.Client;
let connector: ReturnType<typeof createPostgresqlConnector>;

beforeAll(async () => {
  database = await createEmptyDatabase();
  admin = new pg.Client(database.adminConnection);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});
beforeEach(() => {
  connector = createPostgresqlConnector({ keepConnections: unhurried });
});
afterEach(() => connector.close());

const settings = (): PostgresqlConnection => ({
  ...database.connection,
  host: testHost,
  tlsMode: 'Disable',
});
const options = () => ({
  ...limits,
  dial: databaseDial(database.connection),
  signal: new AbortController().signal,
  timeoutMs: 110_000,
});
const rows = async (sql: string, connection = settings()) =>
  rowsOf(await connector.execute(connection, { sql }, options()));
const backend = async (connection?: PostgresqlConnection) =>
  Number((await rows('select pg_backend_pid()', connection))[0]?.[0]);
const sessions = async (and = '') =>
  (
    await admin.query(
      `select from pg_stat_activity where application_name = 'svc' and datname = current_database() ${and}`,
    )
  ).rowCount;

describe('a pooled PostgreSQL connection', () => {
  it('serves the next statement with the same settings', async () => {
    const first = await backend();
    expect(await backend()).toBe(first);
    expect(await backend({ ...settings() })).toBe(first);
  });

  it('does not serve a statement with other settings', async () => {
    const first = await backend();
    const other = { user: String(database.adminConnection.user), acceptPrivilegedLogin: true };
    expect(await backend({ ...settings(), ...other })).not.toBe(first);
    await expect(backend({ ...settings(), password: 'wrong' })).rejects.toMatchObject({
      code: 'authentication-failed',
    });
  });

  it('is not reused after a failure or after a statement that reached its time limit', async () => {
    const first = await backend();
    await expect(rows('select 1 / 0')).rejects.toMatchObject({ code: 'statement-failed' });
    const second = await backend();
    expect(second).not.toBe(first);
    const cut = connector.execute(
      settings(),
      { sql: 'select pg_sleep(20)' },
      { ...options(), timeoutMs: 200 },
    );
    await expect(cut.then(rowsOf)).rejects.toMatchObject({ code: 'timed-out' });
    expect(await backend()).not.toBe(second);
  });

  it('is reused if the caller stops early and few rows remain', async () => {
    const first = await backend();
    const stream = await connector.execute(
      settings(),
      { sql: 'select i from generate_series(1, 5000) as g (i)' },
      options(),
    );
    for await (const _ of stream.batches) break;
    await expect.poll(() => sessions("and state = 'idle'")).toBe(1);
    expect(await backend()).toBe(first);
  });

  it('is replaced if the server has closed it', async () => {
    const first = await backend();
    await admin.query('select pg_terminate_backend($1)', [first]);
    // The server ends the session with a delay.
    await expect.poll(() => sessions()).toBe(0);
    const second = await backend();
    expect(second).not.toBe(first);
    expect(await backend()).toBe(second);
  });

  it('closes after the idle time, and when the connector closes', async () => {
    const brief = createPostgresqlConnector({ keepConnections: { idleMs: 50 } });
    await rowsOf(await brief.execute(settings(), { sql: 'select 1' }, options()));
    await expect.poll(() => sessions()).toBe(0);
    await Promise.all([backend(), backend(), backend()]);
    expect(await sessions()).toBe(3);
    connector.close();
    await expect.poll(() => sessions()).toBe(0);
    await backend();
    await expect.poll(() => sessions()).toBe(0);
  });

  it('closes after its maximum age, and if the pool exceeds its limit', async () => {
    const aged = createPostgresqlConnector({ keepConnections: { ...unhurried, ageMaxMs: 0 } });
    await rowsOf(await aged.execute(settings(), { sql: 'select 1' }, options()));
    await expect.poll(() => sessions()).toBe(0);
    const few = createPostgresqlConnector({ keepConnections: { ...unhurried, perConnectionMax: 2 } });
    const run = () => few.execute(settings(), { sql: 'select pg_sleep(0.2)' }, options()).then(rowsOf);
    await Promise.all([run(), run(), run(), run()]);
    await expect.poll(() => sessions()).toBe(2);
    few.close();
    await expect.poll(() => sessions()).toBe(0);
  });
});

/** State that a statement could leave in its session: [statement, query that must not see the state]. */
const leftovers: readonly (readonly [string, string])[] = [
  [
    'select pg_advisory_lock(42)',
    `select count(*)::int from pg_locks where locktype = 'advisory'
     and database = (select oid from pg_database where datname = current_database())`,
  ],
  [
    "select set_config('svc.left', 'a secret', false)",
    "select coalesce(current_setting('svc.left', true), '')",
  ],
  [
    "set session statement_timeout = '777s'; commit; begin",
    "select current_setting('statement_timeout') = '777s'",
  ],
  ['set search_path to nowhere; commit; begin', "select current_setting('search_path') = 'nowhere'"],
  [
    'set session characteristics as transaction read write; commit; begin',
    "select current_setting('transaction_read_only') = 'off'",
  ],
  [
    'set default_transaction_read_only = off; commit; begin',
    "select current_setting('transaction_read_only') = 'off'",
  ],
  [
    'create temp table left_here as select 1 as a; commit; begin',
    "select count(*)::int from pg_class where relname = 'left_here'",
  ],
  ['prepare left_here as select 1; commit; begin', 'select count(*)::int from pg_prepared_statements'],
  [
    'declare left_here cursor with hold for select 1; commit; begin',
    "select count(*)::int from pg_cursors where name = 'left_here'",
  ],
  ['listen left_here; commit; begin', 'select count(*)::int from pg_listening_channels()'],
  ['set role pg_monitor; commit; begin', "select current_user = 'pg_monitor'"],
  ['set session authorization pg_monitor; commit; begin', "select session_user = 'pg_monitor'"],
];
const nothing = new Set<unknown>([0, false, '']);

describe('a reused connection between two statements', () => {
  let pool: ConnectionPool;
  beforeEach(() => {
    pool = createConnectionPool(unhurried);
  });
  afterEach(() => pool.close());
  const connect = () => {
    const connection = {
      ...settings(),
      ...database.adminConnection,
      host: testHost,
      acceptPrivilegedLogin: true,
    };
    // Connects directly as a superuser, so that only the reset separates the two statements.
    return connectSession(connection as PostgresqlConnection, {
      ...options(),
      limits,
      guards: { ownDatabases: [], logins: createLoginGuard() },
      pool,
    });
  };

  it.each(leftovers)('retains nothing of: %s', async (leave, look) => {
    const first = await connect();
    await first.client.query(`begin; ${leave}`);
    const before = await first.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await first.finish();
    const second = await connect();
    const pid = await second.client.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(pid.rows).toEqual(before.rows);
    await second.client.query(second.begin().join(';'));
    const { rows: seen } = await second.client.query<unknown[]>({ text: look, rowMode: 'array' });
    const [value] = seen[0] ?? [];
    expect(nothing.has(value), `${look}: ${value}`).toBe(true);
    await second.finish();
  });

  it('does not continue the random numbers of the previous statement', async () => {
    const draw = async () => {
      const session = await connect();
      await session.client.query(session.begin().join(';'));
      const { rows: drawn } = await session.client.query('select random() as number');
      await session.client.query('select setseed(0.5)');
      await session.finish();
      return drawn[0]?.number;
    };
    const drawn = [await draw(), await draw(), await draw()];
    expect(new Set(drawn).size).toBe(3);
  });
});
