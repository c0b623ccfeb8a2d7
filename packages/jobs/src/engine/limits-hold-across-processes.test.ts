import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import type { Jobs } from '../client/jobs.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';

let fixture: Fixture;
let sequence = 0;
const uniqueName = (): string => `limit-${++sequence}`;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

/** Counts simultaneous runs, per payload and in total. */
function gauge() {
  const running = new Map<string, number>();
  const highest = new Map<string, number>();
  const add = (key: string, by: number) => {
    const now = (running.get(key) ?? 0) + by;
    running.set(key, now);
    highest.set(key, Math.max(highest.get(key) ?? 0, now));
  };
  return {
    highest,
    run: async (key: string) => {
      add(key, 1);
      add('all', 1);
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 5);
      await promise;
      add(key, -1);
      add('all', -1);
    },
  };
}

const ended = async (jobs: Jobs, name: string, count: number) =>
  (await jobs.read.jobs({ name, state: 'Completed' })).total === count;

describe('concurrency by key', () => {
  it('never runs more jobs of a key at the same time than its limit, over two processes and for each key', async () => {
    const name = uniqueName();
    const job = defineJob<string>({
      name,
      queue: name,
      parse: String,
      concurrency: { limit: 2, key: (payload) => payload },
    });
    const meter = gauge();
    const processes = [fixture.jobs(), fixture.jobs()];
    for (const jobs of processes) jobs.handle(job, (payload) => meter.run(payload));
    const [jobs] = processes;
    if (!jobs) throw new Error('no process');
    await jobs.enqueueMany(
      fixture.pool,
      job,
      Array.from({ length: 60 }, (_, at) => ({ payload: at % 3 === 0 ? 'b' : 'a' })),
    );
    await Promise.all(processes.map((one) => one.start()));
    await eventually(() => ended(jobs, name, 60));
    expect(meter.highest.get('a')).toBe(2);
    expect(meter.highest.get('b')).toBe(2);
  });

  it('applies a limit that was set at run time', async () => {
    const name = uniqueName();
    const job = defineJob<string>({ name, queue: name, parse: String, concurrency: { limit: 5 } });
    const meter = gauge();
    const jobs = fixture.jobs();
    jobs.handle(job, (payload) => meter.run(payload));
    await jobs.queues.setKeyLimit(fixture.pool, name, 1);
    await jobs.enqueueMany(
      fixture.pool,
      job,
      Array.from({ length: 10 }, () => ({ payload: 'x' })),
    );
    await jobs.start();
    await eventually(() => ended(jobs, name, 10));
    expect(meter.highest.get('all')).toBe(1);
    expect(await jobs.queues.limits()).toMatchObject([{ key: name, maxRunning: 1 }]);
    await jobs.queues.setKeyLimit(fixture.pool, name, null);
    expect(await jobs.queues.limits()).toEqual([]);
  });

  it('lets jobs without a key run before jobs that wait for their key', async () => {
    const name = uniqueName();
    const limited = defineJob<string>({ name, queue: name, parse: String, concurrency: { limit: 1 } });
    const free = defineJob<string>({ name: `${name}-free`, queue: name, parse: String });
    const jobs = fixture.jobs({ queues: { [name]: { concurrency: 2 } } });
    const release = Promise.withResolvers<void>();
    jobs.handle(limited, () => release.promise);
    jobs.handle(free, () => undefined);
    await jobs.start();
    await jobs.enqueueMany(fixture.pool, limited, [{ payload: '1' }, { payload: '2' }, { payload: '3' }]);
    await jobs.enqueueMany(
      fixture.pool,
      free,
      Array.from({ length: 5 }, () => ({ payload: 'x' })),
    );
    await eventually(() => ended(jobs, `${name}-free`, 5));
    release.resolve();
    await eventually(() => ended(jobs, name, 3));
  });
});

describe('rate limits', () => {
  it('allow no more starts of a key within an interval than its limit, over two processes', async () => {
    const name = uniqueName();
    const job = defineJob<string>({
      name,
      queue: name,
      parse: String,
      rateLimit: { limit: 4, intervalMs: 86_400_000, key: (payload) => payload },
    });
    const processes = [fixture.jobs(), fixture.jobs()];
    const runs = new Map<string, number>();
    for (const jobs of processes) {
      jobs.handle(job, (payload) => void runs.set(payload, (runs.get(payload) ?? 0) + 1));
    }
    const [jobs] = processes;
    if (!jobs) throw new Error('no process');
    const items = Array.from({ length: 30 }, (_, at) => ({ payload: ['a', 'a', 'b'][at % 3] ?? '' }));
    await jobs.enqueueMany(fixture.pool, job, items);
    await Promise.all(processes.map((one) => one.start()));
    for (const expected of [4, 8]) {
      await eventually(() => runs.get('a') === expected && runs.get('b') === expected);
      // Other keys are not full. After their jobs have run, both processes have found `a` and `b` full.
      for (const jobs of processes) await jobs.enqueue(fixture.pool, job, `c${expected}`);
      await eventually(() => runs.get(`c${expected}`) === 2);
      expect([runs.get('a'), runs.get('b')]).toEqual([expected, expected]);
      await fixture.pool.query(
        "update svc_jobs.rate_window set ends_at = now() - interval '1 s' where key like $1",
        [`${name}:%`],
      );
    }
  });

  it('start new intervals automatically', async () => {
    const name = uniqueName();
    const job = defineJob<string>({
      name,
      queue: name,
      parse: String,
      rateLimit: { limit: 2, intervalMs: 50 },
    });
    const jobs = fixture.jobs();
    jobs.handle(job, () => undefined);
    await jobs.start();
    await jobs.enqueueMany(
      fixture.pool,
      job,
      Array.from({ length: 9 }, () => ({ payload: 'x' })),
    );
    await eventually(() => ended(jobs, name, 9));
  });

  it('delay only jobs over the limit until the next interval', async () => {
    const name = uniqueName();
    const limited = defineJob<string>({
      name,
      queue: name,
      parse: String,
      rateLimit: { limit: 2, intervalMs: 86_400_000 },
    });
    const free = defineJob<string>({ name: `${name}-free`, queue: name, parse: String });
    const jobs = fixture.jobs();
    jobs.handle(limited, () => undefined);
    jobs.handle(free, () => undefined);
    await jobs.start();
    const items = Array.from({ length: 5 }, () => ({ payload: 'x' }));
    await jobs.enqueueMany(fixture.pool, limited, items);
    await jobs.enqueueMany(fixture.pool, free, items);
    await eventually(() => ended(jobs, free.name, 5));
    await eventually(() => ended(jobs, name, 2));
    expect((await jobs.read.jobs({ name, state: 'Enqueued' })).total).toBe(3);
    // Ends the interval.
    await fixture.pool.query(
      "update svc_jobs.rate_window set ends_at = now() - interval '1 s' where key = $1",
      [name],
    );
    await eventually(() => ended(jobs, name, 4));
    expect((await jobs.read.jobs({ name, state: 'Enqueued' })).total).toBe(1);
  });

  it.each([
    ['limit', { limit: 0, intervalMs: 1_000 }],
    ['intervalMs', { limit: 1, intervalMs: 0 }],
    ['concurrency.key', { limit: 1, intervalMs: 1, key: String }],
  ])('are refused with a bad %s', (word, rateLimit) => {
    const concurrency = { limit: 1 };
    expect(() => defineJob({ name: 'refused', parse: String, rateLimit, concurrency })).toThrow(
      new RegExp(word.replace('.', '\\.')),
    );
  });
});

describe('queues', () => {
  it('run no more jobs at the same time in all processes than their limit', async () => {
    const name = uniqueName();
    const job = defineJob<string>({ name, queue: name, parse: String });
    const meter = gauge();
    const processes = [fixture.jobs(), fixture.jobs()];
    for (const jobs of processes) jobs.handle(job, (payload) => meter.run(payload));
    const [jobs] = processes;
    if (!jobs) throw new Error('no process');
    await jobs.queues.setLimit(fixture.pool, name, 3);
    await Promise.all(processes.map((one) => one.start()));
    await jobs.queues.pause(fixture.pool, name);
    await eventually(async () => (await jobs.queues.list()).find((queue) => queue.name === name)?.pausedAt);
    await jobs.enqueueMany(
      fixture.pool,
      job,
      Array.from({ length: 30 }, () => ({ payload: 'x' })),
    );
    await jobs.queues.resume(fixture.pool, name);
    await eventually(() => ended(jobs, name, 30));
    expect(meter.highest.get('all')).toBeLessThanOrEqual(3);
    expect((await jobs.queues.list()).find((queue) => queue.name === name)).toMatchObject({
      maxRunning: 3,
      pausedAt: null,
      running: 0,
      waiting: 0,
    });
  });

  it('run no jobs while they are paused', async () => {
    const name = uniqueName();
    const job = defineJob<string>({ name, queue: name, parse: String });
    const jobs = fixture.jobs();
    jobs.handle(job, () => undefined);
    await jobs.queues.pause(fixture.pool, name);
    await jobs.start();
    const other = defineJob<string>({ name: `${name}-other`, queue: `${name}-other`, parse: String });
    const witness = fixture.jobs();
    witness.handle(other, () => undefined);
    await witness.start();
    const paused = await jobs.enqueue(fixture.pool, job, 'x');
    await witness.enqueue(fixture.pool, other, 'x');
    await eventually(() => ended(jobs, other.name, 1));
    expect((await jobs.get(paused.jobId))?.state).toBe('Enqueued');
    await jobs.queues.resume(fixture.pool, name);
    await eventually(() => ended(jobs, name, 1));
  });
});

describe('notes of a job', () => {
  it('contain the log lines and the progress of a handler', async () => {
    const name = uniqueName();
    const job = defineJob<string>({ name, queue: name, parse: String });
    const jobs = fixture.jobs();
    const release = Promise.withResolvers<void>();
    jobs.handle(job, async (_payload, run) => {
      run.log('half way', 'warn');
      run.progress(0.5, '1 of 2');
      await release.promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, 'x');
    await eventually(async () => (await jobs.get(jobId))?.progress === 0.5);
    expect(await jobs.get(jobId)).toMatchObject({ state: 'Processing', progressText: '1 of 2' });
    release.resolve();
    await eventually(async () => (await jobs.get(jobId))?.state === 'Completed');
    expect(await jobs.history(jobId)).toMatchObject([
      { event: 'Log', level: 'warn', message: 'half way', attempt: 1 },
      { event: 'Completed' },
    ]);
  });
});

describe('housekeeping', () => {
  it('removes expired ended jobs with their history, and retains their totals', async () => {
    const name = uniqueName();
    const job = defineJob<string>({ name, queue: name, parse: String });
    const jobs = fixture.jobs({ retention: { completedMs: 0 } });
    jobs.handle(job, (payload) => {
      if (payload === 'bad') throw new Error('bad');
    });
    await jobs.start();
    const good = await jobs.enqueue(fixture.pool, job, 'good');
    const bad = await jobs.enqueue(fixture.pool, job, 'bad');
    await eventually(async () => (await jobs.get(bad.jobId))?.state === 'Failed');
    await eventually(async () => {
      const record = await jobs.get(good.jobId);
      return record === null || record.state === 'Completed';
    });
    // A new process removes expired jobs immediately.
    const cleaner = fixture.jobs({ serverName: 'cleaner' });
    await cleaner.start();
    await eventually(async () => (await jobs.get(good.jobId)) === null);
    expect(await jobs.history(good.jobId)).toEqual([]);
    expect((await jobs.get(bad.jobId))?.state).toBe('Failed');
    // The two jobs may have ended in different hours.
    const hours = await jobs.read.hourly({ name });
    const sum = (kind: 'completed' | 'failed' | 'cancelled' | 'retried') =>
      hours.reduce((total, hour) => total + hour[kind], 0);
    expect([sum('completed'), sum('failed'), sum('cancelled'), sum('retried')]).toEqual([1, 1, 0, 0]);
    expect(await jobs.read.failedNames()).toMatchObject([{ name, count: 1 }]);
    const counts = await jobs.read.counts();
    expect(counts.states.Failed).toBe(1);
    expect(counts.totals.failed).toBe(1);
    expect((await jobs.read.servers()).map((server) => server.name)).toContain('cleaner');
  });

  it('retains no more ended jobs than the configured number', async () => {
    const name = uniqueName();
    const job = defineJob<string>({ name, queue: name, parse: String });
    const jobs = fixture.jobs();
    jobs.handle(job, () => undefined);
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, 'x');
    await eventually(() => ended(jobs, name, 1));
    const cleaner = fixture.jobs({ retentionCountMax: 0 });
    await cleaner.start();
    await eventually(async () => (await jobs.get(jobId)) === null);
  });
});
