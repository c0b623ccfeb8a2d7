import { describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { JobAbortError, UnretryableError } from '../errors.ts';
import { type Echo, echoJobs, parseEcho } from '../testing/echo-jobs.ts';
import { eventually } from '../testing/fixture.ts';

const { fixture, uniqueName, state } = echoJobs();

describe('failure and retry', () => {
  it('tries again after a wait and stores each attempt in the history', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({
      name,
      queue: name,
      parse: parseEcho,
      retry: { attemptsMax: 3, delaysMs: [50] },
    });
    const jobs = fixture().jobs();
    const attempts: number[] = [];
    jobs.handle(job, (_payload, run) => {
      attempts.push(run.attempt);
      if (run.attempt < 3) throw new Error(`attempt ${run.attempt} failed`);
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect(attempts).toEqual([1, 2, 3]);
    const history = await jobs.history(jobId);
    expect(history.map((entry) => entry.event)).toEqual(['AwaitingRetry', 'AwaitingRetry', 'Completed']);
    expect(history[1]?.error).toMatch(/attempt 2 failed/);
  });

  it('fails permanently after its last attempt, and can be requeued with all attempts', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs();
    let isMended = false;
    jobs.handle(job, () => {
      if (!isMended) throw new Error('broken');
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Failed');
    expect((await jobs.get(jobId))?.error).toMatch(/broken/);
    expect((await jobs.get(jobId))?.expireAt).toBeNull();
    isMended = true;
    expect(await jobs.requeue(fixture().pool, jobId)).toBe('Enqueued');
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
    const jobs = fixture().jobs();
    jobs.handle(job, () => {
      throw new UnretryableError('no use');
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Failed');
    expect((await jobs.get(jobId))?.attempt).toBe(1);
  });

  it('aborts the signal at the timeout and counts the attempt as failed', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho, timeoutMs: 50 });
    const jobs = fixture().jobs();
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
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Failed');
    expect(reason).toBeInstanceOf(JobAbortError);
    expect((await jobs.get(jobId))?.error).toMatch(/longer than its timeout/);
  });
});

describe('cancellation', () => {
  it('ends a waiting job immediately', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    expect(await jobs.cancel(fixture().pool, jobId)).toBe('Cancelled');
    expect(await jobs.cancel(fixture().pool, jobId)).toBe('AlreadyEnded');
    expect(await state(jobs, jobId)).toBe('Cancelled');
    expect(await jobs.cancel(fixture().pool, '00000000-0000-7000-8000-000000000000')).toBe('NotFound');
  });

  it('aborts the signal of a running job in another process', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const runner = fixture().jobs({ heartbeatMs: 20_000, leaseMs: 60_000 });
    const asker = fixture().jobs();
    const started = Promise.withResolvers<void>();
    runner.handle(job, async (_payload, run) => {
      started.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      run.signal.addEventListener('abort', () => reject(run.signal.reason));
      await promise;
    });
    await runner.start();
    const { jobId } = await asker.enqueue(fixture().pool, job, { text: 'x' });
    await started.promise;
    expect(await asker.cancel(fixture().pool, jobId)).toBe('Requested');
    await eventually(async () => (await state(asker, jobId)) === 'Cancelled');
    expect((await asker.history(jobId)).map((entry) => entry.event)).toEqual([
      'CancelRequested',
      'Cancelled',
    ]);
  });

  it('leaves a job Completed if its handler finished anyway', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs();
    const started = Promise.withResolvers<void>();
    jobs.handle(job, async (_payload, run) => {
      started.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      run.signal.addEventListener('abort', () => resolve());
      await promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await started.promise;
    await jobs.cancel(fixture().pool, jobId);
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
  });
});

describe('stop of a process', () => {
  it('lets running jobs end and claims no new ones', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs({ queues: { [name]: { concurrency: 1 } } });
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    jobs.handle(job, async () => {
      started.resolve();
      await release.promise;
    });
    await jobs.start();
    const first = await jobs.enqueue(fixture().pool, job, { text: '1' });
    await started.promise;
    const second = await jobs.enqueue(fixture().pool, job, { text: '2' });
    const stopped = jobs.stop();
    release.resolve();
    await stopped;
    expect(await state(jobs, first.jobId)).toBe('Completed');
    expect(await state(jobs, second.jobId)).toBe('Enqueued');
  });

  it('returns a job that does not end in time to the queue, and the attempt does not count', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs();
    const started = Promise.withResolvers<void>();
    jobs.handle(job, async (_payload, run) => {
      started.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      run.signal.addEventListener('abort', () => reject(run.signal.reason));
      await promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await started.promise;
    await jobs.stop({ timeoutMs: 10 });
    expect(await jobs.get(jobId)).toMatchObject({ state: 'Enqueued', attempt: 0 });
  });
});
