import { defineJob } from '@svc/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../jobs/src/testing/fixture.ts';
import { createFixture, type Fixture, type Served, serveDashboard } from './testing/served.ts';

const parse = (value: unknown) => value as { readonly fails?: boolean };
const idle = defineJob({ name: 'idle', queue: 'nobody', parse });
const quick = defineJob({ name: 'quick', queue: 'served', parse });
const often = defineJob({ name: 'often', queue: 'served', parse });

let fixture: Fixture;
let served: Served;
let isHostAway = false;

beforeAll(async () => {
  fixture = await createFixture();
  served = await serveDashboard(fixture, {
    sampleEveryMs: 40,
    nameSchedules: async (keys) => {
      if (isHostAway) throw new Error('The host is away.');
      return new Map(keys.filter((key) => key.startsWith('named')).map((key) => [key, `Name of ${key}`]));
    },
  });
  const jobs = fixture.jobs({ queues: { served: { concurrency: 2 } }, serverName: 'worker-1' });
  jobs.handle(quick, ({ fails }) => {
    if (fails) throw new Error('It failed.');
  });
  jobs.handle(often, async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
  });
  await jobs.start();
  await jobs.enqueueMany(jobs.executor, idle, [{ payload: {} }, { payload: {} }, { payload: {} }]);
  await jobs.enqueueMany(jobs.executor, quick, [
    { payload: {} },
    { payload: {} },
    { payload: { fails: true } },
  ]);
  const put = (key: string, cron: string) =>
    jobs.schedules.put(jobs.executor, { key, cron, timeZone: 'UTC', job: often, payload: {} });
  await put('named:7', '* * * * * *');
  await put('upkeep', '0 3 1 1 *');
});
afterAll(async () => {
  await served.close();
  await fixture.close();
});

describe('the last hour', () => {
  it('includes samples of states and waiting jobs from before the page was opened', async () => {
    const read = async () => (await served.get('/jobs/api/overview/samples')).body;
    // A sample may have been in progress while the jobs were enqueued. The third from now was not.
    const before = (await read()).items.length;
    const items = await eventually(async () => {
      const body = await read();
      return body.everyMs === 40 && body.items.length >= before + 3 && body.items;
    });
    const last = items.at(-1);
    expect(last).toMatchObject({ waiting: { nobody: 3 }, states: { Enqueued: expect.any(Number) } });
    const times = items.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort());
    // Samples omit queues without waiting jobs.
    expect(Object.keys(last.waiting)).toEqual(['nobody']);
  });

  it('is no longer sampled after the dashboard is closed', async () => {
    const reads: string[] = [];
    const query = fixture.pool.query.bind(fixture.pool);
    const pool = Object.create(fixture.pool, {
      query: {
        value: (...parameters: Parameters<typeof query>) => {
          reads.push('query');
          return query(...parameters);
        },
      },
    });
    const other = await serveDashboard(fixture, { database: { pool }, sampleEveryMs: 10 });
    await eventually(async () => reads.length > 3);
    await other.close();
    const { length } = reads;
    await eventually(async () => (await served.get('/jobs/api/overview/samples')).body.items.length > 5);
    expect(reads.length - length).toBeLessThanOrEqual(2);
  });
});

describe('ended jobs by name', () => {
  it.each(['hour', 'day', 'week'])(
    'are returned for the last %s, with the duration of an attempt',
    async (span) => {
      const summary = await eventually(async () => {
        const { body } = await served.get(`/jobs/api/overview/by-name?span=${span}`);
        const item = body.items.find(({ name }: { name: string }) => name === 'quick');
        return item?.completed === 2 && item.failed === 1 && item;
      });
      expect(summary.avgDurationMs).toBeGreaterThanOrEqual(0);
    },
  );

  it('are refused for another span', async () => {
    expect((await served.get('/jobs/api/overview/by-name?span=year')).status).toBe(400);
  });
});

describe('a recurring job', () => {
  const list = async () => (await served.get('/jobs/api/recurring')).body.items;
  const named = async () =>
    (await list()).find(({ key }: { key: string }) => key === 'named:7') as Record<string, unknown>;

  it('has the title that the host provides, and the duration of its last job', async () => {
    const item = await eventually(async () => {
      const recurring = await named();
      return Number(recurring['lastDurationMs']) >= 25 && recurring;
    });
    expect(item['title']).toBe('Name of named:7');
    const { body } = await served.get(`/jobs/api/recurring/${item['id']}`);
    expect(body.title).toBe('Name of named:7');
    expect(body.ticks.some(({ durationMs }: { durationMs: number | null }) => Number(durationMs) >= 25)).toBe(
      true,
    );
    const other = (await list()).find(({ key }: { key: string }) => key === 'upkeep');
    expect(other).toMatchObject({ title: null, lastDurationMs: null });
  });

  it('is listed by its key while the host cannot provide its title', async () => {
    isHostAway = true;
    expect(await named()).toMatchObject({ key: 'named:7', title: null });
    isHostAway = false;
  });
});
