import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { defineJob } from '../../client/declare.ts';
import { createEngineDb } from '../../client/executor.ts';
import { createSql, type Sql } from '../../sql/statement.ts';
import { createFixture, type Fixture } from '../../testing/fixture.ts';
import { silentLogger } from '../logger.ts';
import { checkClock } from './clock-watch.ts';
import { createScheduler } from './scheduler.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const start = Date.parse('2096-01-05T10:00:00Z');
const key = 'every-minute';

let fixture: Fixture;
let sql: Sql;
/** Time of the database's clock. */
let clockMs = start;
/** Real elapsed time, independent of the clock. */
let trueMs = start;
/** Fired ticks, with their real time and their slot. */
let fired: { readonly at: number; readonly slot: number }[] = [];

beforeAll(async () => {
  fixture = await createFixture();
  sql = createSql(createEngineDb(fixture.pool), 'svc_jobs', () => new Date(clockMs));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.pool.query('truncate svc_jobs.schedule, svc_jobs.schedule_tick, svc_jobs.job cascade');
  [clockMs, trueMs, fired] = [start, start, []];
});

const job = defineJob<unknown>({ name: 'tick', queue: 'ticks', parse: (value) => value });
const put = (cron: string, name = key) =>
  fixture
    .jobs({ clock: () => new Date(clockMs) })
    .schedules.put(fixture.pool, { key: name, cron, job, payload: null });

async function fireDue(): Promise<void> {
  const before = new Set(fired.map(({ slot }) => slot));
  await createScheduler(sql, silentLogger).fireDue();
  const { rows } = await fixture.pool.query<{ due: Date }>(
    'select due_at as due from svc_jobs.job where schedule_key = $1 order by due_at',
    [key],
  );
  for (const { due } of rows) if (!before.has(due.getTime())) fired.push({ at: trueMs, slot: due.getTime() });
}

/** Advances the time. Checks the clock and fires ticks as a running process does. */
async function pass(totalMs: number): Promise<void> {
  for (let passed = 0; passed < totalMs; passed += 15 * secondMs) {
    await checkClock(sql);
    await fireDue();
    clockMs += 15 * secondMs;
    trueMs += 15 * secondMs;
  }
}

/** Returns the longest time between two ticks, or between the last tick and now, minus the regular minute. */
const silenceMs = (): number => {
  const times = [...fired.map(({ at }) => at), trueMs];
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))) - minuteMs;
};
const isWithoutDoubles = async (): Promise<boolean> => {
  const { rows } = await fixture.pool.query<{ jobs: number; slots: number }>(
    'select count(*)::int as jobs, count(distinct due_at)::int as slots from svc_jobs.job',
  );
  return rows[0] !== undefined && rows[0].jobs > 0 && rows[0].jobs === rows[0].slots;
};

it('a schedule continues to fire after an hour ahead, although every slot of the next hour has already fired', async () => {
  clockMs += hourMs;
  await put('* * * * *');
  await pass(75 * minuteMs);
  clockMs -= hourMs;
  await pass(75 * minuteMs);
  expect(silenceMs()).toBeLessThanOrEqual(minuteMs);
  expect(await isWithoutDoubles()).toBe(true);
});

it('a schedule continues to fire after clock steps of an hour ahead and back, in both orders', async () => {
  await put('* * * * *');
  await pass(3 * minuteMs);
  for (const stepMs of [hourMs, -hourMs, -hourMs, hourMs]) {
    clockMs += stepMs;
    await pass(5 * minuteMs);
  }
  expect(silenceMs()).toBeLessThanOrEqual(minuteMs);
  expect(await isWithoutDoubles()).toBe(true);
});

it('only one of several processes that detect a clock step reports it', async () => {
  clockMs += hourMs;
  await put('* * * * *');
  await put('0 0 1 1 *', 'yearly');
  await pass(2 * minuteMs);
  clockMs -= hourMs;
  const events = await Promise.all([checkClock(sql), checkClock(sql), checkClock(sql)]);
  expect(events.filter((event) => event !== null)).toEqual([
    { aheadMs: expect.any(Number), scheduleCount: 1 },
  ]);
  expect(await checkClock(sql)).toBeNull();
});

it('a schedule is not changed while the clock is correct', async () => {
  await put('0 8 * * *', 'daily');
  await put('* * * * *');
  await pass(3 * minuteMs);
  const { rows } = await fixture.pool.query(
    'select next_due_at as due, refired_until as refired from svc_jobs.schedule where key = $1',
    ['daily'],
  );
  expect(rows).toEqual([{ due: new Date('2096-01-06T08:00:00Z'), refired: null }]);
  expect(await checkClock(sql)).toBeNull();
});
