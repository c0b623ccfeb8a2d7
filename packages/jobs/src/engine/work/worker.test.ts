import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJob } from '../../client/declare.ts';
import { createJobs } from '../../client/jobs.ts';
import { createFixture, eventually, type Fixture } from '../../testing/fixture.ts';
import { silentLogger } from '../logger.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

/** Creates a pool that reports the number of jobs that each claim requests, once it is sent. */
function toldPool(onClaim: (count: number) => void = () => undefined) {
  const asked: number[] = [];
  const pool = new pg.Pool({ ...fixture.database.connection, max: 4 });
  // The end of a pool does not wait until its connections are closed. The dropped database may end one of them first.
  pool.on('error', () => undefined);
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(pool, {
    query: (...args: unknown[]) => {
      const { text, values } = args[0] as { text?: string; values?: unknown[] };
      if (text?.includes('claim_next')) {
        asked.push(Number(values?.[2]));
        onClaim(Number(values?.[2]));
      }
      return query(...args);
    },
  });
  return { pool, asked };
}

/** Returns the number of sessions that listen for hints. */
async function listeners(): Promise<number> {
  const { rows } = await fixture.pool.query(
    "select from pg_stat_activity where datname = current_database() and query like 'listen %'",
  );
  return rows.length;
}

describe('claims of a worker whose jobs are short', () => {
  it('request many jobs at the same time, never fewer than the concurrency', async () => {
    const { pool, asked } = toldPool();
    const job = defineJob<number>({ name: 'short', queue: 'short', parse: Number });
    const jobs = createJobs({ pool, queues: { short: { concurrency: 10 } } });
    const count = 3_000;
    let ended = 0;
    jobs.handle(job, () => {
      ended += 1;
    });
    const items = Array.from({ length: 1_000 }, (_, payload) => ({ payload }));
    for (let at = 0; at < count; at += items.length) await jobs.enqueueMany(jobs.executor, job, items);
    await jobs.start();
    await eventually(async () => ended === count);
    await jobs.stop();
    expect(asked.filter((asks) => asks < 10)).toEqual([]);
    expect(Math.max(...asked)).toBeLessThanOrEqual(1_000);
    await pool.end();
  });

  it('follow a hint that arrives while enough jobs wait in memory', async () => {
    const { pool } = toldPool();
    const job = defineJob<number>({ name: 'hinted', queue: 'hinted', parse: Number });
    const jobs = createJobs({ pool, queues: { hinted: { concurrency: 2 } }, pollIntervalMs: 60_000 });
    let ended = 0;
    jobs.handle(job, async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      ended += 1;
    });
    await jobs.start();
    for (let round = 1; round <= 5; round += 1) {
      const items = Array.from({ length: 40 }, (_, payload) => ({ payload }));
      await jobs.enqueueMany(jobs.executor, job, items);
      await jobs.enqueue(jobs.executor, job, round);
    }
    await eventually(async () => ended === 5 * 41);
    await jobs.stop();
    await pool.end();
  });

  it('are repeated when they fail, without another hint', async () => {
    let fails = false;
    const { pool } = toldPool(() => {
      if (!fails) return;
      fails = false;
      throw new Error('The session was lost.');
    });
    const job = defineJob<number>({ name: 'repeated', queue: 'repeated', parse: Number });
    const jobs = createJobs({ pool, queues: { repeated: { concurrency: 2 } }, pollIntervalMs: 86_400_000 });
    let ended = 0;
    jobs.handle(job, () => {
      ended += 1;
    });
    await jobs.enqueue(jobs.executor, job, 1);
    await jobs.start();
    await eventually(async () => (await listeners()) === 1 && ended === 1);
    fails = true;
    // Another process inserts the job, so the only hint is its notification.
    await createJobs({ pool: fixture.pool }).enqueue(fixture.pool, job, 2);
    await eventually(async () => ended === 2);
    expect(fails).toBe(false);
    await jobs.stop();
    await pool.end();
  });

  it('are sent before the jobs of the previous claim begin, which then run meanwhile', async () => {
    const batch = 50;
    const total = 1_000;
    let begun = 0;
    let claimed = 0;
    const held: number[] = [];
    const { pool, asked } = toldPool((count) => {
      if (claimed < total) held.push(claimed - begun);
      claimed += count;
    });
    const job = defineJob<number>({ name: 'ahead', queue: 'ahead', parse: Number });
    const jobs = createJobs({ pool, queues: { ahead: { concurrency: 10 } }, prefetchMax: batch });
    jobs.handle(job, () => {
      begun += 1;
    });
    const items = Array.from({ length: total }, (_, payload) => ({ payload }));
    await jobs.enqueueMany(jobs.executor, job, items);
    await jobs.start();
    await eventually(async () => begun === total);
    await jobs.stop();
    expect(held).toContain(batch);
    // All further claims have the same size once the worker has measured that the jobs are short.
    expect(new Set(asked.slice(asked.indexOf(batch)))).toEqual(new Set([batch]));
    expect(Math.max(...held)).toBeLessThanOrEqual(batch);
    await pool.end();
  });

  it('are not run after a stop returned them to the queue', async () => {
    const { pool } = toldPool();
    const job = defineJob<number>({ name: 'given-back', queue: 'given-back', parse: Number });
    const runs: number[] = [];
    const create = (onRun: () => void = () => undefined) => {
      const jobs = createJobs({ pool, queues: { 'given-back': { concurrency: 2 } } });
      jobs.handle(job, async (payload) => {
        runs.push(payload);
        onRun();
        await new Promise((resolve) => setTimeout(resolve, 2));
      });
      return jobs;
    };
    const enough = Promise.withResolvers<void>();
    const first = create(() => runs.length === 20 && enough.resolve());
    const count = 200;
    const items = Array.from({ length: count }, (_, payload) => ({ payload }));
    await first.enqueueMany(first.executor, job, items);
    await first.start();
    await enough.promise;
    await first.stop();
    const ranBefore = runs.length;
    const second = create();
    await second.start();
    await eventually(async () => new Set(runs).size === count);
    await second.stop();
    expect(ranBefore).toBeLessThan(count);
    expect(runs.length).toBe(count);
    await pool.end();
  });
});

describe('the lease of a job', () => {
  it('is not reported as lost if it ended with its job, even while the process waits for the response', async () => {
    const { pool } = toldPool();
    const isRenewed = Promise.withResolvers<void>();
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    let hasEnded = false;
    Object.assign(pool, {
      query: async (...args: unknown[]) => {
        const { text = '' } = args[0] as { text?: string };
        const answer = await query(...args);
        if (text.includes('complete_attempts')) {
          hasEnded = true;
          await isRenewed.promise;
        } else if (hasEnded && text.includes('is_cancel_requested')) setImmediate(isRenewed.resolve);
        return answer;
      },
    });
    const warnings: string[] = [];
    const logger = {
      ...silentLogger,
      warn: (_details: object, message: string) => void warnings.push(message),
    };
    const job = defineJob<number>({ name: 'leased', queue: 'leased', parse: Number });
    const jobs = createJobs({ pool, logger, queues: { leased: { concurrency: 2 } }, leaseMs: 3_000 });
    const signals: AbortSignal[] = [];
    jobs.handle(job, (_payload, run) => void signals.push(run.signal));
    await jobs.enqueue(jobs.executor, job, 1);
    await jobs.start();
    await isRenewed.promise;
    await jobs.stop();
    expect(hasEnded).toBe(true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    expect(warnings).toEqual([]);
    await pool.end();
  });
});
