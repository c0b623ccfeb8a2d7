import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const parse = (value: unknown) => value;

it('only a scheduler fires schedules and recovers lost jobs, without a queue, and workers run the fired jobs', async () => {
  const job = defineJob<unknown>({ name: 'tick', queue: 'ticks', parse });
  const worker = fixture.jobs({ isScheduler: false, leaseMs: 200, serverName: 'worker' });
  const ran: string[] = [];
  worker.handle(job, (_payload, run) => void ran.push(run.jobId));
  await worker.start();
  await worker.schedules.put(fixture.pool, {
    key: 'every-second',
    cron: '* * * * * *',
    job,
    payload: null,
  });
  // Job of a dead process: no worker renews its lease.
  const { jobId: lost } = await worker.enqueue(fixture.pool, job, null, { delayMs: 3_600_000 });
  await fixture.pool.query(
    `update svc_jobs.job set state = 'Processing', fence = 1, attempt = 1, started_at = now(),
      lease_until = now() - interval '1 minute' where id = $1`,
    [lost],
  );
  // The pulse of the worker runs too: it activates delayed jobs.
  const { jobId: later } = await worker.enqueue(fixture.pool, job, null, { delayMs: 2_500 });
  await eventually(() => ran.includes(later));
  expect(await worker.schedules.ticks('every-second')).toEqual([]);
  expect((await worker.get(lost))?.state).toBe('Processing');

  const scheduler = fixture.jobs({ queues: {}, leaseMs: 200, serverName: 'scheduler' });
  await scheduler.start();
  await eventually(async () => (await worker.schedules.ticks('every-second')).length > 0);
  await eventually(() => ran.includes(lost));
  const fired = await worker.schedules.ticks('every-second');
  await eventually(() => fired.every(({ jobId }) => jobId === null || ran.includes(jobId)));
  expect(await worker.read.servers()).toMatchObject([
    { name: 'worker', isScheduler: false, workers: [{ queue: 'ticks' }] },
    { name: 'scheduler', isScheduler: true, workers: [] },
  ]);
});
