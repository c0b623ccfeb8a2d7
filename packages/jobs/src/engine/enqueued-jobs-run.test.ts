import { describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { type Echo, echoJobs, parseEcho } from '../testing/echo-jobs.ts';
import { eventually } from '../testing/fixture.ts';
import type { JobRun } from './handler.ts';

const { fixture, uniqueName, state } = echoJobs();

describe('enqueue and run', () => {
  it('runs a job with its payload and stores it as Completed with its history', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs();
    const seen: [Echo, Pick<JobRun, 'attempt' | 'fence'>][] = [];
    jobs.handle(job, (payload, run) => {
      seen.push([payload, { attempt: run.attempt, fence: run.fence }]);
    });
    await jobs.start();
    const { jobId, isNew } = await jobs.enqueue(fixture().pool, job, { text: 'hello' });
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
    const jobs = fixture().jobs();
    const client = await fixture().pool.connect();
    await client.query('begin');
    const { jobId } = await jobs.enqueue(client, job, { text: 'never' });
    await client.query('rollback');
    client.release();
    expect(await jobs.get(jobId)).toBeNull();
  });

  it('starts a job only after the transaction that enqueued it committed', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs();
    jobs.handle(job, () => undefined);
    await jobs.start();
    const client = await fixture().pool.connect();
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
    const jobs = fixture().jobs();
    // @ts-expect-error: the type forbids it too
    await expect(jobs.enqueue(fixture().pool, job, { words: 1 })).rejects.toThrow(
      /was refused: text is missing/,
    );
    await expect(jobs.enqueue(fixture().pool, job, { text: 'a\0b' })).rejects.toThrow(/zero character/);
    await expect(jobs.enqueue(fixture().pool, job, { text: '\ud800' })).rejects.toThrow(/surrogate/);
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'a \\u0000 that is only text' });
    expect((await jobs.get(jobId))?.payload).toEqual({ text: 'a \\u0000 that is only text' });
  });

  it('claims higher priorities first, then earlier due times', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs({ queues: { [name]: { concurrency: 1 } } });
    const order: string[] = [];
    jobs.handle(job, (payload) => void order.push(payload.text));
    await jobs.enqueueMany(fixture().pool, job, [
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
    const jobs = fixture().jobs({ pollIntervalMs: 60_000 });
    jobs.handle(job, () => undefined);
    await jobs.start();
    // Read in the job's own transaction, before a worker can claim the job.
    const client = await fixture().pool.connect();
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
    const jobs = fixture().jobs();
    jobs.handle(handledJob, () => undefined);
    await jobs.start();
    const other = await jobs.enqueue(fixture().pool, unknown, { text: 'x' });
    const { jobId } = await jobs.enqueue(fixture().pool, handledJob, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect(await state(jobs, other.jobId)).toBe('Enqueued');
  });
});

describe('deduplication', () => {
  it('returns the existing job instead of a second one, until it has ended', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho, dedupe: { key: (p) => p.text } });
    const jobs = fixture().jobs();
    jobs.handle(job, () => undefined);
    const first = await jobs.enqueue(fixture().pool, job, { text: 'same' });
    const again = await jobs.enqueueMany(fixture().pool, job, [
      { payload: { text: 'same' } },
      { payload: { text: 'other' } },
      { payload: { text: 'other' } },
    ]);
    expect(again[0]).toEqual({ jobId: first.jobId, isNew: false });
    expect(again[1]?.isNew).toBe(true);
    expect(again[2]).toEqual({ jobId: again[1]?.jobId, isNew: false });
    await jobs.start();
    await eventually(async () => (await state(jobs, first.jobId)) === 'Completed');
    expect((await jobs.enqueue(fixture().pool, job, { text: 'same' })).isNew).toBe(true);
  });
});

describe('hints', () => {
  it('are optional: jobs also run by polling alone', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs({ listen: false, pollIntervalMs: 50 });
    jobs.handle(job, () => undefined);
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
  });

  it('arrive again after the server ended the listener session', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs({ pollIntervalMs: 60_000 });
    jobs.handle(job, () => undefined);
    await jobs.start();
    const sessions = async () =>
      (
        await fixture().pool.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name like '%listener' and datname = current_database()`,
        )
      ).rows.map((row) => row.pid);
    const before = await eventually(async () => {
      const pids = await sessions();
      return pids.length > 0 && pids;
    });
    await fixture().pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [
      before,
    ]);
    await eventually(async () => {
      const pids = await sessions();
      return pids.length >= before.length && pids.every((pid) => !before.includes(pid));
    });
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
  });
});
