import { afterAll, beforeAll, expect, it } from 'vitest';
import { originIn, runInJobContext } from '../context.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';
import { defineJob } from './declare.ts';

const origin = { method: 'POST', route: '/orders/{id}', userName: 'anna' };
const traceId = '11111111-2222-3333-4444-555555555555';
const parse = () => null;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

it('a job stores the origin of its request and passes it to spawned jobs, in addition to their metadata', async () => {
  const first = defineJob<null>({ name: 'origin-first', queue: 'origin', parse });
  const second = defineJob<null>({ name: 'origin-second', queue: 'origin', parse });
  const jobs = fixture.jobs();
  const made: string[] = [];
  jobs.handle(first, async () => {
    made.push((await jobs.enqueue(fixture.pool, second, null, { metadata: { tags: ['own'] } })).jobId);
  });
  jobs.handle(second, () => undefined);
  await jobs.start();
  const { jobId } = await runInJobContext({ traceId, origin }, () =>
    jobs.enqueue(fixture.pool, first, null, { metadata: { startedBy: '7' } }),
  );
  await eventually(async () => made.length > 0);
  const [parent, child] = await Promise.all([jobs.get(jobId), jobs.get(made[0] ?? '')]);
  expect(parent?.metadata).toEqual({ startedBy: '7', requestOrigin: origin });
  expect(child?.metadata).toEqual({ tags: ['own'], requestOrigin: origin });
  expect([parent?.traceId, child?.traceId]).toEqual([traceId, traceId]);
  expect(originIn(child?.metadata ?? null)).toEqual(origin);
});

it('a job without a request has no origin, and metadata in another form contains none', async () => {
  const job = defineJob<null>({ name: 'origin-none', queue: 'origin-none', parse });
  const jobs = fixture.jobs();
  const { jobId } = await jobs.enqueue(fixture.pool, job, null);
  expect((await jobs.get(jobId))?.metadata ?? null).toBeNull();
  for (const metadata of [null, {}, { requestOrigin: 'POST' }, { requestOrigin: { method: 'POST' } }])
    expect(originIn(metadata)).toBeNull();
});
