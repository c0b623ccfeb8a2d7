import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import type { Jobs } from '../client/jobs.ts';
import { JobAbortError, UnretryableError } from '../errors.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';
import type { JobRun } from './handler.ts';

type Echo = { text: string };

function parseEcho(value: unknown): Echo {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') {
    throw new Error('text is missing');
  }
  return { text: value.text };
}

let fixture: Fixture;
let sequence = 0;
/** Returns a unique queue and job name per test, so that tests do not claim each other's jobs. */
const uniqueName = (): string => `test-${++sequence}`;

beforeAll(async () => {
  fixture = await createFixture();
});
// Another library that looks for due jobs locks them for a moment. A claim at this moment skips them until the next poll.
afterEach(() => fixture.stopJobs());
afterAll(() => fixture.close());

const state = async (jobs: Jobs, id: string) => (await jobs.get(id))?.state;

describe('enqueue and run', () => {
  it('runs a job with its payload and stores it as Completed with its history', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    const seen: [Echo, Pick<JobRun, 'attempt' | 'fence'>][] = [];
    jobs.handle(job, (payload, run) => {
      seen.push([payload, { attempt: run.attempt, fence: run.fence }]);
    });
    await jobs.start();
    const { jobId, isNew } = await jobs.enqueue(fixture.pool, job, { text: 'hello' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect(isNew).toBe(true);
    expect(seen).toEqual([[{ text: 'hello' }, { attempt: 1, fence: 1 }]]);
    const record = await jobs.get(jobId);
    expect(record).toMatchObject({ name, queue: name, kind: 'Job', attempt: 1, traceId: jobId, error: null });
    expect(record?.finishedAt?.getTime()).toBeGreaterThanOrEqual(record?.startedAt?.getTime() ?? Infinity);
    expect((await jobs.history(jobId)).map((entry) => entry.event)).toEqual(['Completed']);
  });

  it('enqueues nothing when the transaction is rolled back', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    const client = await fixture.pool.connect();
    await client.query('begin');
    const { jobId } = await jobs.enqueue(client, job, { text: 'never' });
    await client.query('rollback');
    client.release();
    expect(await jobs.get(jobId)).toBeNull();
  });

  it('starts a job only after the transaction that enqueued it committed', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    jobs.handle(job, () => undefined);
    await jobs.start();
    const client = await fixture.pool.connect();
    await client.query('begin');
    const { jobId } = await jobs.enqueue(client, job, { text: 'later' });
    expect(await jobs.get(jobId)).toBeNull();
    await client.query('commit');
    client.release();
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
  });

  it('refuses a payload that the declaration does not accept, before it uses the transaction', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    // @ts-expect-error: the type forbids it too
    await expect(jobs.enqueue(fixture.pool, job, { words: 1 })).rejects.toThrow(
      /was refused: text is missing/,
    );
    await expect(jobs.enqueue(fixture.pool, job, { text: 'a\0b' })).rejects.toThrow(/zero character/);
    await expect(jobs.enqueue(fixture.pool, job, { text: '\ud800' })).rejects.toThrow(/surrogate/);
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'a \\u0000 that is only text' });
    expect((await jobs.get(jobId))?.payload).toEqual({ text: 'a \\u0000 that is only text' });
  });

  it('claims higher priorities first, then earlier due times', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs({ queues: { [name]: { concurrency: 1 } } });
    const order: string[] = [];
    jobs.handle(job, (payload) => void order.push(payload.text));
    await jobs.enqueueMany(fixture.pool, job, [
      { payload: { text: 'third' } },
      { payload: { text: 'first' }, priority: 9 },
      { payload: { text: 'fourth' } },
      { payload: { text: 'second' }, priority: 5 },
    ]);
    await jobs.start();
    await eventually(() => order.length === 4);
    expect(order).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('runs a scheduled job when it is due by the clock of PostgreSQL, not before', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs({ pollIntervalMs: 60_000 });
    jobs.handle(job, () => undefined);
    await jobs.start();
    // Read in the job's own transaction, before a worker can claim the job.
    const client = await fixture.pool.connect();
    await client.query('begin');
    const { jobId } = await jobs.enqueue(client, job, { text: 'soon' }, { delayMs: 300 });
    const { rows } = await client.query('select state from svc_jobs.job where id = $1', [jobId]);
    expect(rows).toEqual([{ state: 'Scheduled' }]);
    await client.query('commit');
    client.release();
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    const record = await jobs.get(jobId);
    expect(record?.startedAt?.getTime()).toBeGreaterThanOrEqual(record?.dueAt.getTime() ?? Infinity);
  });

  it('does not claim jobs for which the process has no handler', async () => {
    const name = uniqueName();
    const handledJob = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const unknown = defineJob<Echo>({ name: `${name}-unknown`, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    jobs.handle(handledJob, () => undefined);
    await jobs.start();
    const other = await jobs.enqueue(fixture.pool, unknown, { text: 'x' });
    const { jobId } = await jobs.enqueue(fixture.pool, handledJob, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect(await state(jobs, other.jobId)).toBe('Enqueued');
  });
});

describe('failure and retry', () => {
  it('tries again after a wait and stores each attempt in the history', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({
      name,
      queue: name,
      parse: parseEcho,
      retry: { attemptsMax: 3, delaysMs: [50] },
    });
    const jobs = fixture.jobs();
    const attempts: number[] = [];
    jobs.handle(job, (_payload, run) => {
      attempts.push(run.attempt);
      if (run.attempt < 3) throw new Error(`attempt ${run.attempt} failed`);
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect(attempts).toEqual([1, 2, 3]);
    const history = await jobs.history(jobId);
    expect(history.map((entry) => entry.event)).toEqual(['AwaitingRetry', 'AwaitingRetry', 'Completed']);
    expect(history[1]?.error).toMatch(/attempt 2 failed/);
  });

  it('fails permanently after its last attempt, and can be requeued with all attempts', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    let isMended = false;
    jobs.handle(job, () => {
      if (!isMended) throw new Error('broken');
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Failed');
    expect((await jobs.get(jobId))?.error).toMatch(/broken/);
    expect((await jobs.get(jobId))?.expireAt).toBeNull();
    isMended = true;
    expect(await jobs.requeue(fixture.pool, jobId)).toBe('Enqueued');
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect((await jobs.history(jobId)).map((entry) => entry.event)).toEqual([
      'Failed',
      'Enqueued',
      'Completed',
    ]);
  });

  it('does not retry an error that the handler marks as unretryable', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho, retry: { attemptsMax: 5 } });
    const jobs = fixture.jobs();
    jobs.handle(job, () => {
      throw new UnretryableError('no use');
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Failed');
    expect((await jobs.get(jobId))?.attempt).toBe(1);
  });

  it('aborts the signal at the timeout and counts the attempt as failed', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho, timeoutMs: 50 });
    const jobs = fixture.jobs();
    let reason: unknown;
    jobs.handle(job, async (_payload, run) => {
      const { promise, reject } = Promise.withResolvers<never>();
      run.signal.addEventListener('abort', () => {
        reason = run.signal.reason;
        reject(run.signal.reason);
      });
      await promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Failed');
    expect(reason).toBeInstanceOf(JobAbortError);
    expect((await jobs.get(jobId))?.error).toMatch(/longer than its timeout/);
  });
});

describe('cancellation', () => {
  it('ends a waiting job immediately', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    expect(await jobs.cancel(fixture.pool, jobId)).toBe('Cancelled');
    expect(await jobs.cancel(fixture.pool, jobId)).toBe('AlreadyEnded');
    expect(await state(jobs, jobId)).toBe('Cancelled');
    expect(await jobs.cancel(fixture.pool, '00000000-0000-7000-8000-000000000000')).toBe('NotFound');
  });

  it('aborts the signal of a running job in another process', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const runner = fixture.jobs({ heartbeatMs: 20_000, leaseMs: 60_000 });
    const asker = fixture.jobs();
    const started = Promise.withResolvers<void>();
    runner.handle(job, async (_payload, run) => {
      started.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      run.signal.addEventListener('abort', () => reject(run.signal.reason));
      await promise;
    });
    await runner.start();
    const { jobId } = await asker.enqueue(fixture.pool, job, { text: 'x' });
    await started.promise;
    expect(await asker.cancel(fixture.pool, jobId)).toBe('Requested');
    await eventually(async () => (await state(asker, jobId)) === 'Cancelled');
    expect((await asker.history(jobId)).map((entry) => entry.event)).toEqual([
      'CancelRequested',
      'Cancelled',
    ]);
  });

  it('leaves a job Completed if its handler finished anyway', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    const started = Promise.withResolvers<void>();
    jobs.handle(job, async (_payload, run) => {
      started.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      run.signal.addEventListener('abort', () => resolve());
      await promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await started.promise;
    await jobs.cancel(fixture.pool, jobId);
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
  });
});

describe('lease and fencing', () => {
  it('gives a job with an expired lease to another run, and ignores the report of the first run', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs({ leaseMs: 60_000, sweepIntervalMs: 50 });
    const release = Promise.withResolvers<void>();
    const currents: boolean[] = [];
    jobs.handle(job, async (_payload, run) => {
      if (run.fence > 1) return;
      await release.promise;
      currents.push(await run.isCurrent());
      throw new Error('the first run must not be heard');
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Processing');
    await eventually(async () => {
      await fixture.pool.query(
        `update svc_jobs.job set lease_until = now() - interval '1 s' where id = $1 and fence = 1`,
        [jobId],
      );
      return (await state(jobs, jobId)) === 'Completed';
    });
    release.resolve();
    await eventually(() => currents.length === 1);
    expect(currents).toEqual([false]);
    const record = await jobs.get(jobId);
    expect(record).toMatchObject({ state: 'Completed', attempt: 1 });
    expect((await jobs.history(jobId)).map((entry) => entry.event)).toEqual(['Recovered', 'Completed']);
  });

  it('renews the lease of a job that runs longer than the lease', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    // Longer than a process of a busy machine may have to wait for the processor.
    const leaseMs = 4_000;
    const jobs = fixture.jobs({ leaseMs, heartbeatMs: 100, sweepIntervalMs: 50 });
    const fences: number[] = [];
    const release = Promise.withResolvers<void>();
    jobs.handle(job, async (_payload, run) => {
      fences.push(run.fence);
      await release.promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    const firstLease = await eventually(async () => leaseOf(jobId));
    await eventually(async () => ((await leaseOf(jobId)) ?? 0) > firstLease + leaseMs);
    release.resolve();
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect(fences).toEqual([1]);
  });

  it('fails a job whose worker is lost too often', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs({ sweepIntervalMs: 20, recoveriesMax: 2 });
    const release = Promise.withResolvers<void>();
    jobs.handle(job, () => release.promise);
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => {
      await fixture.pool.query(
        `update svc_jobs.job set lease_until = now() - interval '1 s' where id = $1 and state = 'Processing'`,
        [jobId],
      );
      return (await state(jobs, jobId)) === 'Failed';
    });
    release.resolve();
    expect((await jobs.get(jobId))?.error).toMatch(/lost too often/);
  });

  it('completes a job in the transaction of the handler, or not at all', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({
      name,
      queue: name,
      parse: parseEcho,
      retry: { attemptsMax: 2, delaysMs: [0] },
    });
    await fixture.pool.query('create table effect (job_id uuid, attempt int)');
    const jobs = fixture.jobs();
    jobs.handle(job, async (_payload, run) => {
      const client = await fixture.pool.connect();
      try {
        await client.query('begin');
        await client.query('insert into effect values ($1, $2)', [run.jobId, run.attempt]);
        await run.completeIn(client);
        await client.query(run.attempt === 1 ? 'rollback' : 'commit');
        if (run.attempt === 1) throw new Error('rolled back');
      } finally {
        client.release();
      }
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    const { rows } = await fixture.pool.query('select attempt from effect where job_id = $1', [jobId]);
    expect(rows).toEqual([{ attempt: 2 }]);
  });
});

async function leaseOf(jobId: string): Promise<number | undefined> {
  const { rows } = await fixture.pool.query<{ lease_until: Date | null }>(
    'select lease_until from svc_jobs.job where id = $1',
    [jobId],
  );
  return rows[0]?.lease_until?.getTime();
}

describe('stop of a process', () => {
  it('lets running jobs end and claims no new ones', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs({ queues: { [name]: { concurrency: 1 } } });
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    jobs.handle(job, async () => {
      started.resolve();
      await release.promise;
    });
    await jobs.start();
    const first = await jobs.enqueue(fixture.pool, job, { text: '1' });
    await started.promise;
    const second = await jobs.enqueue(fixture.pool, job, { text: '2' });
    const stopped = jobs.stop();
    release.resolve();
    await stopped;
    expect(await state(jobs, first.jobId)).toBe('Completed');
    expect(await state(jobs, second.jobId)).toBe('Enqueued');
  });

  it('returns a job that does not end in time to the queue, and the attempt does not count', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs();
    const started = Promise.withResolvers<void>();
    jobs.handle(job, async (_payload, run) => {
      started.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      run.signal.addEventListener('abort', () => reject(run.signal.reason));
      await promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await started.promise;
    await jobs.stop({ timeoutMs: 10 });
    expect(await jobs.get(jobId)).toMatchObject({ state: 'Enqueued', attempt: 0 });
  });
});

describe('deduplication', () => {
  it('returns the existing job instead of a second one, until it has ended', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho, dedupe: { key: (p) => p.text } });
    const jobs = fixture.jobs();
    jobs.handle(job, () => undefined);
    const first = await jobs.enqueue(fixture.pool, job, { text: 'same' });
    const again = await jobs.enqueueMany(fixture.pool, job, [
      { payload: { text: 'same' } },
      { payload: { text: 'other' } },
      { payload: { text: 'other' } },
    ]);
    expect(again[0]).toEqual({ jobId: first.jobId, isNew: false });
    expect(again[1]?.isNew).toBe(true);
    expect(again[2]).toEqual({ jobId: again[1]?.jobId, isNew: false });
    await jobs.start();
    await eventually(async () => (await state(jobs, first.jobId)) === 'Completed');
    expect((await jobs.enqueue(fixture.pool, job, { text: 'same' })).isNew).toBe(true);
  });
});

describe('hints', () => {
  it('are optional: jobs also run by polling alone', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs({ listen: false, pollIntervalMs: 50 });
    jobs.handle(job, () => undefined);
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
  });

  it('arrive again after the server ended the listener session', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture.jobs({ pollIntervalMs: 60_000 });
    jobs.handle(job, () => undefined);
    await jobs.start();
    const sessions = async () =>
      (
        await fixture.pool.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name like '%listener' and datname = current_database()`,
        )
      ).rows.map((row) => row.pid);
    const before = await eventually(async () => {
      const pids = await sessions();
      return pids.length > 0 && pids;
    });
    await fixture.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [before]);
    await eventually(async () => {
      const pids = await sessions();
      return pids.length >= before.length && pids.every((pid) => !before.includes(pid));
    });
    const { jobId } = await jobs.enqueue(fixture.pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
  });
});
