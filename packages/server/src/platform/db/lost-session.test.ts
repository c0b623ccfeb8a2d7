import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toRefusal } from '../http/refusals/problems.ts';
import { createDatabase, type Database, isDatabaseAway, openPool, type Queryable } from './index.ts';

let testDatabase: TestDatabase;
let database: Database;
let admin: pg.Client;
let lost: Error[];
/** Errors that would have ended the process. */
let uncaught: unknown[];
const hear = (error: unknown): void => void uncaught.push(error);

beforeEach(async () => {
  lost = [];
  uncaught = [];
  process.on('uncaughtException', hear);
  testDatabase = await createEmptyDatabase();
  database = createDatabase(
    openPool({
      connection: testDatabase.connection,
      max: 1,
      onLost: (error) => lost.push(error),
    }),
  );
  await database.query('create table written (line text)');
  admin = new pg.Client(testDatabase.adminConnection);
  await admin.connect();
});

afterEach(async () => {
  process.off('uncaughtException', hear);
  await database.pool.end();
  await admin.end();
  await testDatabase.drop();
});

const backendOf = async (executor: Queryable): Promise<number> => {
  const { rows } = await executor.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
};
const terminate = (pid: number) => admin.query('select pg_terminate_backend($1, 10000)', [pid]);
const isLost = () => expect.poll(() => lost.length, { timeout: 60_000 }).toBeGreaterThan(0);

async function expectTheNextOneToWork(): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query("insert into written values ('next')");
  });
  const { rows } = await database.query('select line from written');
  expect(rows).toEqual([{ line: 'next' }]);
  expect(uncaught).toEqual([]);
}

describe('a transaction whose session is lost', () => {
  test('fails as an unavailable database if it is idle, and the next transaction works', async () => {
    const failure = await database
      .transaction(async (tx) => {
        await tx.query("insert into written values ('lost')");
        await terminate(await backendOf(tx));
        await isLost();
        await tx.query('select 1');
      })
      .catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    expect(toRefusal(failure, undefined).refusal).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    });
    expect(lost).toMatchObject([{ code: '57P01' }]);
    await expectTheNextOneToWork();
  });

  test('is not reported as committed if the loss follows its last statement', async () => {
    const failure = await database
      .transaction(async (tx) => {
        await tx.query("insert into written values ('lost')");
        await terminate(await backendOf(tx));
        await isLost();
      })
      .catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    await expectTheNextOneToWork();
  });

  test('fails with the error of the server if a statement runs', async () => {
    const failure = await database
      .transaction(async (tx) => {
        const pid = await backendOf(tx);
        const waiting = tx.query('select pg_sleep(600)');
        await Promise.all([waiting, terminate(pid)]);
      })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '57P01' });
    expect(isDatabaseAway(failure)).toBe(true);
    await expectTheNextOneToWork();
  });

  test('fails as an unavailable database if it was idle for too long', async () => {
    const failure = await database
      .transaction(async (tx) => {
        await tx.query("set local idle_in_transaction_session_timeout = '20ms'");
        await isLost();
        await tx.kysely.selectFrom('svc.users').selectAll().execute();
      })
      .catch((error: unknown) => error);
    expect(lost).toMatchObject([{ code: '25P03' }]);
    expect(isDatabaseAway(failure)).toBe(true);
    await expectTheNextOneToWork();
  });
});

test('a client in use can lose its session, and is not reused', async () => {
  const client = await database.pool.connect();
  const pid = await backendOf(client);
  await terminate(pid);
  await isLost();
  client.release();
  expect(await backendOf(database)).not.toBe(pid);
  expect(uncaught).toEqual([]);
});

test('the loss of an idle session is reported once', async () => {
  await terminate(await backendOf(database));
  await isLost();
  await database.query('select 1');
  expect(lost).toMatchObject([{ code: '57P01' }]);
});

test('the loss of an idle session is logged without its client, which contains the secret of the session', async () => {
  await terminate(await backendOf(database));
  await isLost();
  const lines: string[] = [];
  pino({}, { write: (line) => lines.push(line) }).error({ err: lost[0] }, 'lost');
  expect(lines.join()).toContain('57P01');
  expect(lines.join()).not.toMatch(/"client"|"host"|"database"/);
  await expectTheNextOneToWork();
});
