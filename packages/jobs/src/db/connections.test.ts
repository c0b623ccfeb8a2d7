import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { createPoolExecutor } from '../client/executor.ts';
import { asTransaction } from '../client/transaction.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';
import { openPool } from './connections.ts';
import { isDatabaseAway } from './database-away.ts';

let fixture: Fixture;
let admin: pg.Client;
/** Errors that would have ended the process. */
let uncaught: unknown[];
const hear = (error: unknown): void => void uncaught.push(error);

beforeAll(async () => {
  fixture = await createFixture();
  admin = new pg.Client(fixture.database.adminConnection);
  await admin.connect();
});
beforeEach(() => {
  uncaught = [];
  process.on('uncaughtException', hear);
});
afterEach(() => {
  process.off('uncaughtException', hear);
  expect(uncaught).toEqual([]);
});
afterAll(async () => {
  await admin.end();
  await fixture.close();
});

type Rows = { rows: { pid: number }[] };
const backendOf = async (executor: { query(text: string): Promise<unknown> }): Promise<number> => {
  const { rows } = (await executor.query('select pg_backend_pid() as pid')) as Rows;
  return rows[0]?.pid ?? 0;
};
const endOf = (client: unknown): Promise<void> =>
  new Promise((resolve) => {
    if (client instanceof pg.Client) client.once('end', resolve);
  });
const terminate = (pid: number) => admin.query('select pg_terminate_backend($1, 10000)', [pid]);

describe('a transaction of the library whose session is lost', () => {
  it('fails on a reused client of the caller’s pool, and the next transaction works', async () => {
    const pool = new pg.Pool({ ...fixture.database.connection, max: 1 });
    pool.on('error', () => undefined);
    const own = { executor: createPoolExecutor(fixture.pool), pool: fixture.pool };
    const first = await backendOf(pool);
    const failure = await asTransaction(pool, own, async (client) => {
      expect(await backendOf(client)).toBe(first);
      const gone = endOf(client);
      await terminate(first);
      await gone;
    }).catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    expect(await asTransaction(pool, own, backendOf)).not.toBe(first);
    await pool.end();
  });

  it('enqueues none of its jobs', async () => {
    const lost: Error[] = [];
    const pool = openPool({ ...fixture.database.connection, max: 1 }, (error) => lost.push(error));
    const jobs = fixture.jobs({ pool });
    const job = defineJob<number>({ name: 'lost', parse: Number });
    const own = { executor: jobs.executor, pool };
    const failure = await asTransaction(jobs.executor, own, async (client) => {
      await jobs.enqueue(client, job, 1);
      await terminate(await backendOf(client));
      await eventually(() => lost.length > 0);
    }).catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    expect(lost).toMatchObject([{ code: '57P01' }]);
    expect((await pool.query("select from svc_jobs.job where name = 'lost'")).rowCount).toBe(0);
    const { jobId } = await jobs.enqueue(jobs.executor, job, 2);
    expect(await jobs.get(jobId)).toMatchObject({ state: 'Enqueued' });
    await pool.end();
  });
});
