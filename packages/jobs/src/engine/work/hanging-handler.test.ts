import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineJob } from '../../client/declare.ts';
import { createFixture, eventually, type Fixture } from '../../testing/fixture.ts';
import type { JobRun } from '../handler.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

test('a hanging handler that ignores its signal loses the job after its timeout, and the next attempt completes it', async () => {
  const job = defineJob<null>({
    name: 'hang',
    parse: () => null,
    timeoutMs: 50,
    retry: { attemptsMax: 2, delaysMs: [0] },
    // The next attempt cannot start before the first one releases its place.
    concurrency: { limit: 1 },
  });
  const jobs = fixture.jobs();
  let hanging: JobRun | undefined;
  jobs.handle(job, async (_payload, run) => {
    if (run.attempt > 1) return;
    hanging = run;
    await new Promise(() => undefined);
  });
  await jobs.start();
  const { jobId } = await jobs.enqueue(fixture.pool, job, null);
  await eventually(async () => (await jobs.get(jobId))?.state === 'Completed');
  expect((await jobs.get(jobId))?.attempt).toBe(2);
  expect(await hanging?.isCurrent()).toBe(false);
});
