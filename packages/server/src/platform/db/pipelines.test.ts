import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuseStatements, wireOf } from '../../../../pg-wire/src/testing.ts';
import { createDatabase, type Database, type Statement } from './database.ts';
import { openPool } from './pool.ts';

let testDatabase: TestDatabase;
let database: Database;
/** Occupies a connection of the pool: pipelines are shared only on a busy pool. */
let other: pg.PoolClient;

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection, max: 4 }));
});
beforeEach(async () => {
  other = await database.pool.connect();
  // The connections of the previous test may be lost. The next ones prepare both statements.
  for (let run = 0; run < 3; run += 1) await together();
});
afterEach(() => other.release());
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});

const backend = 'select pg_backend_pid() as pid, now() as at';
const who = (values: unknown[] = [1]): Statement => ({
  name: 'who',
  text: `select 10 / $1::int as quotient, mine.* from (${backend}) mine`,
  values,
});
const page = (values: unknown[] = [1]): Statement => ({
  name: 'page',
  text: `select 20 / $1::int as quotient, mine.* from (${backend}) mine`,
  values,
});
type Row = { quotient: number; pid: number; at: Date };
/** Coalesced statements. Every other one is ordinary. */
const coalesced = new Set(['who', 'end']);
const send = ({ query, lookups }: Database, statement: Statement) =>
  coalesced.has(statement.name ?? '') ? lookups.coalesce<Row>(statement) : query<Row>(statement);
const ask = async (statement: Statement): Promise<Row> => {
  const { rows } = await send(database, statement);
  const [row] = rows;
  if (!row) throw new Error('No row came.');
  return row;
};
const together = () => Promise.all([ask(who()), ask(page())]);

/** Counts the writes to the free connection of a pool during the work. */
async function writesOf({ pool }: Database, work: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const { stream } = wireOf(client);
  client.release();
  const write = vi.spyOn(stream, 'write');
  await work();
  const { length } = write.mock.calls;
  write.mockRestore();
  return length;
}

describe('a coalesced statement', () => {
  test('fails on a connection that accepts no more statements', async () => {
    const client = await database.pool.connect();
    client.release();
    refuseStatements(client);
    const both = await Promise.allSettled([ask(who()), ask(page())]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('is sent with the next statement of the same turn, in one write, on one connection', async () => {
    const single = createDatabase(openPool({ connection: testDatabase.connection, max: 2 }));
    const held = await single.pool.connect();
    const both = () => Promise.all([send(single, who()), send(single, page())]);
    expect(await writesOf(single, both)).toBe(2);
    expect(await writesOf(single, both)).toBe(1);
    held.release();
    await single.pool.end();
    const [first, second] = await together();
    expect([first.quotient, second.quotient]).toEqual([10, 20]);
    expect(second).toMatchObject({ pid: first.pid, at: first.at });
  });

  test('is sent on another connection than the next statement while the pool is otherwise idle', async () => {
    const quiet = createDatabase(openPool({ connection: testDatabase.connection, max: 2 }));
    for (let run = 0; run < 3; run += 1) {
      const [first, second] = await Promise.all([send(quiet, who()), send(quiet, page())]);
      expect(second.rows[0]?.pid).not.toBe(first.rows[0]?.pid);
    }
    await quiet.pool.end();
  });

  test('is sent after the statement that it waited for while the pool is otherwise idle', async () => {
    const quiet = createDatabase(openPool({ connection: testDatabase.connection, max: 1 }));
    const answered: (string | undefined)[] = [];
    const note = async (statement: Statement) => {
      await send(quiet, statement);
      answered.push(statement.name);
    };
    for (let run = 0; run < 3; run += 1) await Promise.all([note(who()), note(page())]);
    expect(answered).toEqual(['page', 'who', 'page', 'who', 'page', 'who']);
    await quiet.pool.end();
  });

  test('is sent with a statement that flushes waiting ones, even while the pool is otherwise idle', async () => {
    const quiet = createDatabase(openPool({ connection: testDatabase.connection, max: 2 }));
    for (let run = 0; run < 3; run += 1) {
      const [first, second] = await Promise.all([send(quiet, who()), quiet.lookups.flush<Row>(page())]);
      expect(second.rows[0]?.pid).toBe(first.rows[0]?.pid);
    }
    await quiet.pool.end();
  });

  test('waits until the turn of the event loop ends, and no longer', async () => {
    const later = async () => {
      for (let step = 0; step < 50; step += 1) await undefined;
      return ask(page());
    };
    const [first, second] = await Promise.all([ask(who()), later()]);
    expect(second.at).toEqual(first.at);
    const alone = ask(who());
    const nextTurn = new Promise<Row>((resolve, reject) => {
      setImmediate(() => ask(page()).then(resolve, reject));
    });
    expect((await nextTurn).at).not.toEqual((await alone).at);
  });

  test('is sent alone if no statement follows', async () => {
    expect((await ask(who([2]))).quotient).toBe(5);
  });

  test('does not delay statements that do not wait, which have their own connections', async () => {
    const [first, second, third] = await Promise.all([ask(who()), ask(page()), ask(page([2]))]);
    expect(second.pid).toBe(first.pid);
    expect(third.pid).not.toBe(first.pid);
    expect(third.quotient).toBe(10);
  });

  test('is answered on a connection that has prepared neither statement, or only one of them', async () => {
    await Promise.all(
      [1, 2, 3].map(() => database.query('select pg_terminate_backend(pg_backend_pid())').catch(() => 0)),
    );
    for (let run = 0; run < 3; run += 1) {
      const [first, second] = await together();
      expect([first.quotient, second.quotient]).toEqual([10, 20]);
    }
  });
});

describe('an error on a shared pipeline', () => {
  const outcomes = async (...statements: Statement[]) =>
    (await Promise.allSettled(statements.map(ask))).map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.quotient : (outcome.reason as { code?: string }).code,
    );

  test('of the last statement does not affect the statements before it', async () => {
    expect(await outcomes(who(), page([0]))).toEqual([10, '22012']);
    expect(await outcomes(who(), page())).toEqual([10, 20]);
  });

  test('of the first statement fails the statements after it', async () => {
    expect(await outcomes(who([0]), page())).toEqual(['22012', '22012']);
    expect(await outcomes(who(), page())).toEqual([10, 20]);
  });

  test('of a value that cannot be sent affects only its own statement', async () => {
    const circular: unknown[] = [];
    circular.push({ circular });
    const results = await Promise.allSettled([ask(who([{ circular }])), ask(page())]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const both = await Promise.allSettled([ask(who([{ circular }])), ask(page([{ circular }]))]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await outcomes(who(), page())).toEqual([10, 20]);
  });

  test('of the connection rejects all statements, and the next pipeline uses another connection', async () => {
    const end: Statement = {
      name: 'end',
      text: 'select 1 as quotient, pg_terminate_backend(pg_backend_pid())',
    };
    await Promise.allSettled([ask(end)]);
    const lost = await Promise.allSettled([ask(who()), ask(end), ask(page())]);
    expect(lost.map(({ status }) => status).slice(1)).toEqual(['rejected', 'rejected']);
    expect(await outcomes(who(), page())).toEqual([10, 20]);
  });

  test('of a pool without a connection rejects all statements', async () => {
    const closed = createDatabase(openPool({ connection: { ...testDatabase.connection, port: 1 } }));
    const results = await Promise.allSettled([send(closed, who()), send(closed, page())]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await closed.pool.end();
  });
});

test('twenty concurrent turns release every connection', async () => {
  const all = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, at % 5));
      return Promise.all([ask(who([at % 2])), ask(page([1]))]).catch(() => null);
    }),
  );
  expect(all).toHaveLength(20);
  // The last connection returns to the pool a moment after its answer.
  const openCounts = ({ idleCount, totalCount, waitingCount }: pg.Pool) => [
    totalCount - idleCount,
    waitingCount,
  ];
  await expect.poll(() => openCounts(database.pool)).toEqual([1, 0]);
});
