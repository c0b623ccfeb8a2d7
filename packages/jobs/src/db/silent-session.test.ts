import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { postgresAddress } from '@svc/testkit/database/gate.ts';
import { openSilentProxy, type SilentProxy } from '@svc/testkit/database/silent-proxy.ts';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openClient, openPool } from './connections.ts';
import { isDatabaseAway } from './database-away.ts';

const answerTimeoutMs = 3_000;
/** Deadline that no test reaches. */
const hourMs = 3_600_000;

let database: TestDatabase;
let proxy: SilentProxy;
let connection: pg.ClientConfig;
let lost: Error[];

beforeAll(async () => {
  database = await createEmptyDatabase();
});
beforeEach(async () => {
  lost = [];
  proxy = await openSilentProxy(postgresAddress(database.connection));
  connection = { ...database.connection, host: '127.0.0.1', port: proxy.port };
});
afterEach(() => proxy.stop());
afterAll(() => database.drop());

const open = (config: Partial<pg.PoolConfig> = {}): pg.Pool =>
  openPool({ ...connection, max: 4, ...config, answerTimeoutMs }, (error) => lost.push(error));
const backendOf = async (queryable: Pick<pg.ClientBase, 'query'>): Promise<number> =>
  (await queryable.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error) => error,
  );

/** Opens `count` sessions of the pool, leaves them idle and returns their process ids. */
async function fill(pool: pg.Pool, count: number): Promise<number[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  const pids = await Promise.all(clients.map(backendOf));
  for (const client of clients) client.release();
  return pids;
}

describe('a pool with a silent session', () => {
  test('fails the statement as with an unavailable database, and opens a new session for the next', async () => {
    const pool = open();
    const silent = await backendOf(pool);
    proxy.silence();
    expect(isDatabaseAway(await failureOf(pool.query('select 1')))).toBe(true);
    expect(await backendOf(pool)).not.toBe(silent);
    expect(lost).toHaveLength(1);
    await pool.end();
  });

  test('closes all idle sessions that were silent as long, so that only one statement fails', async () => {
    const pool = open();
    const before = await fill(pool, 4);
    expect(proxy.silence()).toBe(4);
    await failureOf(pool.query('select 1'));
    const after = await fill(pool, 4);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    expect(proxy.openedCount()).toBe(8);
    await pool.end();
  });

  test('retains an idle session that answered after the silent statement was sent', async () => {
    const pool = open();
    await backendOf(pool);
    proxy.silence();
    const failed = failureOf(pool.query('select 1'));
    const alive = await backendOf(pool);
    await failed;
    expect(await backendOf(pool)).toBe(alive);
    await pool.end();
  });

  test('ends the session of a transaction: no later statement of it is sent', async () => {
    const pool = open();
    await pool.query('create table written (line text)');
    const client = await pool.connect();
    await client.query('begin');
    await client.query("insert into written values ('unconfirmed')");
    proxy.silence();
    expect(isDatabaseAway(await failureOf(client.query('select 1')))).toBe(true);
    proxy.restore();
    expect(isDatabaseAway(await failureOf(client.query('commit')))).toBe(true);
    client.release();
    expect((await pool.query('select from written')).rowCount).toBe(0);
    await pool.end();
  });

  test('reports a silent COMMIT as lost and does not send it again', async () => {
    const pool = open();
    await pool.query('create table committed (line text)');
    const client = await pool.connect();
    await client.query('begin');
    await client.query("insert into committed values ('once')");
    proxy.silence('Answers');
    expect(isDatabaseAway(await failureOf(client.query('commit')))).toBe(true);
    client.release();
    expect((await pool.query('select from committed')).rowCount).toBe(1);
    await pool.end();
  });

  test('limits a statement with its own deadline to the earlier one', async () => {
    const pool = openPool({ ...connection, max: 2, answerTimeoutMs: hourMs }, (error) => lost.push(error));
    const before = await fill(pool, 2);
    proxy.silence();
    const query = { text: 'select 1', query_timeout: answerTimeoutMs };
    expect(isDatabaseAway(await failureOf(pool.query(query)))).toBe(true);
    expect((await fill(pool, 2)).filter((pid) => before.includes(pid))).toEqual([]);
    await pool.end();
  });

  test('does not wait for the server when it is ended', async () => {
    const pool = open();
    let closed = 0;
    pool.on('remove', () => {
      closed += 1;
    });
    await fill(pool, 3);
    proxy.silence();
    await pool.end();
    await expect.poll(() => closed, { timeout: 60_000 }).toBe(3);
  });
});

test('retains a session that responds to each statement in time, beyond many deadlines', async () => {
  const pool = openPool({ ...connection, max: 1, answerTimeoutMs }, (error) => lost.push(error));
  const pid = await backendOf(pool);
  for (let count = 0; count < 12; count += 1) await pool.query('select pg_sleep(0.5)');
  expect(await backendOf(pool)).toBe(pid);
  expect(lost).toEqual([]);
  await pool.end();
});

test('fails a statement that exceeds its deadline, even if the server responds', async () => {
  const pool = open();
  expect(isDatabaseAway(await failureOf(pool.query('select pg_sleep(600)')))).toBe(true);
  expect(pool.totalCount).toBe(0);
  await pool.end();
});

describe('a single database client', () => {
  test('fails its statement and ends if its session is silent', async () => {
    const client = openClient({ ...connection, answerTimeoutMs });
    await client.connect();
    proxy.silence();
    expect(isDatabaseAway(await failureOf(client.query('select 1')))).toBe(true);
    await client.end();
  });

  test('ends if it is silent while idle', async () => {
    const client = openClient({ ...connection, answerTimeoutMs });
    await client.connect();
    let isClosed = false;
    client.once('end', () => {
      isClosed = true;
    });
    proxy.silence();
    await client.end();
    expect(isClosed).toBe(true);
  });

  test('fails within its connection timeout if it does not reach the server', async () => {
    proxy.silenceAll();
    const client = openClient({ ...connection, answerTimeoutMs, connectionTimeoutMillis: 200 });
    expect(isDatabaseAway(await failureOf(client.connect()))).toBe(true);
  });
});

describe('a client with long statements', () => {
  const openLong = async (): Promise<pg.Client> => {
    const client = openClient({ ...connection, answerTimeoutMs: hourMs, checkEveryMs: 50 });
    await client.connect();
    return client;
  };

  test('waits for a statement that the server still executes', async () => {
    const client = await openLong();
    const { rowCount } = await client.query('select pg_sleep(1)');
    expect(rowCount).toBe(1);
    expect(proxy.openedCount()).toBeGreaterThan(2);
    await client.end();
  });

  test('fails a statement whose response is lost, even if its deadline is far', async () => {
    const client = await openLong();
    proxy.silence();
    expect(isDatabaseAway(await failureOf(client.query('select 1')))).toBe(true);
    await client.end();
  });

  test('fails a statement whose session no longer exists at the server', async () => {
    const client = await openLong();
    const pid = await backendOf(client);
    const failure = failureOf(client.query('select pg_sleep(600)'));
    await expect.poll(() => proxy.openedCount(), { timeout: 60_000 }).toBeGreaterThan(2);
    proxy.silence();
    const other = openClient({ ...connection, answerTimeoutMs });
    await other.connect();
    await other.query('select pg_terminate_backend($1, 10000)', [pid]);
    await other.end();
    expect(isDatabaseAway(await failure)).toBe(true);
    await client.end();
  });

  test('fails a statement when no session can reach the server', async () => {
    const client = openClient({
      ...connection,
      answerTimeoutMs: hourMs,
      checkEveryMs: 50,
      connectionTimeoutMillis: 500,
    });
    await client.connect();
    const failure = failureOf(client.query('select pg_sleep(600)'));
    proxy.silenceAll();
    expect(isDatabaseAway(await failure)).toBe(true);
    await client.end();
  });
});
