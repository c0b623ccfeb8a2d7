import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { postgresAddress } from '@svc/testkit/database/gate.ts';
import { openSilentProxy, type SilentProxy } from '@svc/testkit/database/silent-proxy.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toRefusal } from '../http/refusals/problems.ts';
import { createDatabase, type Database, isDatabaseAway, openPool } from './index.ts';

const answerTimeoutMs = 1_000;

let testDatabase: TestDatabase;
let proxy: SilentProxy;
let database: Database;

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
});
beforeEach(async () => {
  proxy = await openSilentProxy(postgresAddress(testDatabase.connection));
  const connection = { ...testDatabase.connection, host: '127.0.0.1', port: proxy.port };
  database = createDatabase(openPool({ connection, max: 4, answerTimeoutMs }));
  await database.query('create table if not exists written (line text)');
  await database.query('truncate written');
});
afterEach(async () => {
  await database.pool.end();
  await proxy.stop();
});
afterAll(() => testDatabase.drop());

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const one = { name: 'one', text: 'select 1 as one' };

describe('a silent session', () => {
  test.each<[how: string, run: () => Promise<unknown>]>([
    ['a named statement', () => database.query(one)],
    ['a statement without a name', () => database.query('select 1')],
    [
      'statements in one write',
      () => Promise.all([database.lookups.coalesce(one), database.lookups.flush(one)]),
    ],
    ['a built statement', () => database.kysely.selectNoFrom((eb) => eb.lit(1).as('one')).execute()],
    ['a transaction', () => database.transaction((tx) => tx.query(one))],
  ])('fails %s as an unavailable database: 503 with Retry-After', async (_how, run) => {
    await run();
    proxy.silence();
    const failure = await failureOf(run());
    expect(toRefusal(failure, undefined).refusal).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    });
    await run();
  });

  test('never repeats the work of a transaction whose COMMIT received no answer', async () => {
    let calls = 0;
    const failure = await failureOf(
      database.transaction(async (tx) => {
        calls += 1;
        await tx.query("insert into written values ('once')");
        proxy.silence('Answers');
      }),
    );
    expect(isDatabaseAway(failure)).toBe(true);
    expect(calls).toBe(1);
    expect((await database.query('select from written')).rowCount).toBe(1);
  });

  test('has a limit of 15 s for idle transactions and of 20 s for statements at the server', async () => {
    const defaults = openPool({ connection: testDatabase.connection });
    const { rows } = await defaults.query(`select name, setting::int as ms from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'statement_timeout') order by name`);
    await defaults.end();
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', ms: 15_000 },
      { name: 'statement_timeout', ms: 20_000 },
    ]);
  });
});

test('a session for long statements is closed if the server no longer executes its statement', async () => {
  const connection = { ...testDatabase.connection, host: '127.0.0.1', port: proxy.port };
  const hourMs = 3_600_000;
  const long = createDatabase(
    openPool({
      connection,
      max: 1,
      checkEveryMs: 50,
      statementTimeoutMs: hourMs,
      answerTimeoutMs: hourMs,
    }),
  );
  await long.query('select 1');
  proxy.silence();
  expect(isDatabaseAway(await failureOf(long.query('select 1')))).toBe(true);
  expect((await long.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await long.pool.end();
});

test('a statement that the server ends for its time limit is answered with 503 and Retry-After', async () => {
  const failure = await failureOf(
    database.transaction(async (tx) => {
      await tx.query("set local statement_timeout = '10ms'");
      await tx.query('select pg_sleep(600)');
    }),
  );
  expect(toRefusal(failure, undefined).refusal).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
  });
});
