import { describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { type Echo, echoJobs, parseEcho } from '../testing/echo-jobs.ts';
import { eventually } from '../testing/fixture.ts';

const { fixture, uniqueName, state } = echoJobs();

async function leaseOf(jobId: string): Promise<number | undefined> {
  const { rows } = await fixture().pool.query<{ lease_until: Date | null }>(
    'select lease_until from svc_jobs.job where id = $1',
    [jobId],
  );
  return rows[0]?.lease_until?.getTime();
}

describe('lease and fencing', () => {
  it('gives a job with an expired lease to another run, and ignores the report of the first run', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs({ leaseMs: 60_000, sweepIntervalMs: 50 });
    const release = Promise.withResolvers<void>();
    const currents: boolean[] = [];
    jobs.handle(job, async (_payload, run) => {
      if (run.fence > 1) return;
      await release.promise;
      currents.push(await run.isCurrent());
      throw new Error('the first run must not be heard');
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Processing');
    await eventually(async () => {
      await fixture().pool.query(
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
    const jobs = fixture().jobs({ leaseMs, heartbeatMs: 100, sweepIntervalMs: 50 });
    const fences: number[] = [];
    const release = Promise.withResolvers<void>();
    jobs.handle(job, async (_payload, run) => {
      fences.push(run.fence);
      await release.promise;
    });
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    const firstLease = await eventually(async () => leaseOf(jobId));
    await eventually(async () => ((await leaseOf(jobId)) ?? 0) > firstLease + leaseMs);
    release.resolve();
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    expect(fences).toEqual([1]);
  });

  it('fails a job whose worker is lost too often', async () => {
    const name = uniqueName();
    const job = defineJob<Echo>({ name, queue: name, parse: parseEcho });
    const jobs = fixture().jobs({ sweepIntervalMs: 20, recoveriesMax: 2 });
    const release = Promise.withResolvers<void>();
    jobs.handle(job, () => release.promise);
    await jobs.start();
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => {
      await fixture().pool.query(
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
    await fixture().pool.query('create table effect (job_id uuid, attempt int)');
    const jobs = fixture().jobs();
    jobs.handle(job, async (_payload, run) => {
      const client = await fixture().pool.connect();
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
    const { jobId } = await jobs.enqueue(fixture().pool, job, { text: 'x' });
    await eventually(async () => (await state(jobs, jobId)) === 'Completed');
    const { rows } = await fixture().pool.query('select attempt from effect where job_id = $1', [jobId]);
    expect(rows).toEqual([{ attempt: 2 }]);
  });
});
