import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { markStarted } from '../runs/index.ts';
import { newYear, startWatchdogFixture, type WatchdogFixture } from './testing.ts';

let watched: WatchdogFixture;
let fixture: RunFixture;
beforeAll(async () => {
  watched = await startWatchdogFixture();
  fixture = watched.fixture;
});
afterAll(() => fixture.close());

const check = () => watched.check();
const sql = (statement: string, values?: unknown[]) => watched.sql(statement, values);
const watchFrom = (id: number, yearsAgo: number) =>
  sql(`update svc.subscriptions set watch_due_at = ${newYear(yearsAgo)} where id = $1`, [id]);
const missedOf = async (id: number) =>
  (await fixture.root.get(`/svc/api/subscriptions/${id}`)).body.lastMissed;

async function yearlyOne(): Promise<number> {
  const queryId = await fixture.addQuery('select 1 as one');
  const recipientIds = [await fixture.addRecipient()];
  const { id } = await fixture.addSubscription({ queryId, recipientIds, cronExpression: yearly });
  watched.notices.length = 0;
  return id;
}

/** Inserts a scheduled run that started `lateSeconds` after its due time. */
const started = (id: number, yearsAgo: number, lateSeconds: number) =>
  sql(
    `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, started_at, status, finished_at)
     select s.id, q.id, q.project_id, 'Schedule', ${newYear(yearsAgo)}, ${newYear(yearsAgo)} + $2 * interval '1 second', 'Sent', now()
     from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1`,
    [id, lateSeconds],
  );

test('due times before the first check of a subscription are not counted as missed', async () => {
  const id = await yearlyOne();
  await check();
  expect(await missedOf(id)).toBeNull();
  const [row] = await sql('select watch_due_at > now() as "isAhead" from svc.subscriptions where id = $1', [
    id,
  ]);
  expect(row).toEqual({ isAhead: true });
});

test('a paused subscription misses no runs, and is watched again from its resumption', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 6);
  await fixture.root.post(`/svc/api/subscriptions/${id}/pause`);
  await check();
  expect(await missedOf(id)).toBeNull();
  await watchFrom(id, 6);
  await check();
  expect(await missedOf(id)).toBeNull();
  await fixture.root.post(`/svc/api/subscriptions/${id}/resume`);
  await check();
  expect(await missedOf(id)).toBeNull();
  expect(watched.notices).toEqual([]);
});

test('the due times of one outage share a record and a notice, and a run on time ends the outage', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 6);
  await started(id, 6, 10);
  await started(id, 2, 299);
  await check();
  const [first] = await sql(
    'select missed_count as count from svc.missed_runs where subscription_id = $1 order by first_due_at',
    [id],
  );
  // Five, four and three years ago. The two due times after the run in time were also missed and are counted too.
  expect(first).toEqual({ count: 5 });
  expect(watched.notices).toMatchObject([
    { kind: 'RunMissed', subject: { kind: 'Subscription', id }, facts: { missedCount: 5 } },
  ]);
  await check();
  expect(watched.notices).toHaveLength(1);
});

test('a further due time of the same outage is counted, and no second notice is sent', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 4);
  await sql(
    `insert into svc.missed_runs (subscription_id, first_due_at, last_due_at, missed_count)
     values ($1, ${newYear(6)}, ${newYear(5)}, 2)`,
    [id],
  );
  await check();
  expect(await missedOf(id)).toMatchObject({ missedCount: 7 });
  expect(watched.notices).toEqual([]);
});

test('after a run on time, a new outage begins', async () => {
  const id = await yearlyOne();
  await sql(
    `insert into svc.missed_runs (subscription_id, first_due_at, last_due_at, missed_count)
     values ($1, ${newYear(6)}, ${newYear(5)}, 2)`,
    [id],
  );
  await started(id, 4, 0);
  await watchFrom(id, 3);
  await check();
  expect(await missedOf(id)).toMatchObject({ missedCount: 4 });
  expect(watched.notices).toHaveLength(1);
});

test('a slot whose run started late counts as a run and not as missed', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 1);
  await started(id, 1, 301);
  await started(id, 0, 0);
  await check();
  expect(await missedOf(id)).toBeNull();
  expect(watched.notices).toEqual([]);
});

describe('a run that starts after its slot was counted as missed', () => {
  const graceSeconds = 300;
  /** Inserts the run of a slot that no worker has started yet. */
  async function waitingRun(id: number, yearsAgo: number) {
    const [run] = await sql(
      `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at)
       select s.id, q.id, q.project_id, 'Schedule', ${newYear(yearsAgo)}
       from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1
       returning id, due_at as "dueAt", subscription_id as "subscriptionId"`,
      [id],
    );
    return run;
  }
  const start = (run: Awaited<ReturnType<typeof waitingRun>>) =>
    markStarted(createDatabase(fixture.svc.database), run, graceSeconds);
  const listOf = async (id: number) =>
    (await fixture.root.get(`/svc/api/subscriptions/${id}/missed-runs`)).body.items;

  test('is subtracted from the count once, and the other slots of the outage stay counted', async () => {
    const id = await yearlyOne();
    await watchFrom(id, 2);
    const run = await waitingRun(id, 1);
    await check();
    expect(await missedOf(id)).toMatchObject({ missedCount: 3 });
    await start(run);
    await start(run);
    expect(await missedOf(id)).toMatchObject({ missedCount: 2 });
  });

  test('leaves no missed run if it was the only one, and no second message is sent', async () => {
    const id = await yearlyOne();
    await watchFrom(id, 0);
    const run = await waitingRun(id, 0);
    await check();
    expect(await listOf(id)).toMatchObject([{ missedCount: 1 }]);
    await start(run);
    expect([await listOf(id), await missedOf(id)]).toEqual([[], null]);
    expect(watched.notices).toHaveLength(1);
  });

  test('counts as a run if it starts during the check', async () => {
    const id = await yearlyOne();
    await watchFrom(id, 0);
    const run = await waitingRun(id, 0);
    const client = await fixture.svc.database.connect();
    try {
      await client.query('begin');
      await client.query('select from svc.subscriptions where id = $1 for no key update', [id]);
      const look = check();
      await until('the look that waits', async () => {
        const waiting = await sql(`select from pg_stat_activity where wait_event_type = 'Lock'
          and query like '%watch_due_at%' and datname = current_database()`);
        return waiting.length > 0 ? true : undefined;
      });
      await client.query('update svc.runs set started_at = now() where id = $1', [run.id]);
      await client.query('commit');
      await look;
    } finally {
      client.release();
    }
    expect(await listOf(id)).toEqual([]);
    expect(watched.notices).toEqual([]);
  });

  test('is counted exactly once if several watchdogs check at the same time', async () => {
    const id = await yearlyOne();
    await watchFrom(id, 2);
    await Promise.all([check(), check(), check()]);
    expect(await listOf(id)).toMatchObject([{ missedCount: 3 }]);
    expect(watched.notices).toHaveLength(1);
  });
});

describe('slots that pass while the previous run is in progress', () => {
  /** Creates a subscription for every minute, created an hour ago. Its due times are watched since 12 minutes ago. */
  async function everyMinute(overlap: 'Skip' | 'Queue') {
    const id = await yearlyOne();
    await sql(
      `update svc.subscriptions set cron_expression = '* * * * *', overlap = $2,
         watch_due_at = date_trunc('minute', now()) - interval '12 minutes' where id = $1`,
      [id, overlap],
    );
    return id;
  }
  /** Inserts the run of a slot with its duration in seconds; null for a run in progress. */
  const ran = (
    id: number,
    minutesAgo: number,
    tookSeconds: number | null,
    heldAfterSeconds: number | null = null,
  ) =>
    sql(
      `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, started_at, status, finished_at, held_at)
       select s.id, q.id, q.project_id, 'Schedule', d.due, d.due, case when $3::int is null then 'Created' else 'Sent' end,
         d.due + $3 * interval '1 second', d.due + $4 * interval '1 second'
       from svc.subscriptions s join svc.queries q on q.id = s.query_id,
         (select date_trunc('minute', now()) - $2 * interval '1 minute' as due) d where s.id = $1`,
      [id, minutesAgo, tookSeconds, heldAfterSeconds],
    );
  const recordsOf = async (id: number) =>
    (await fixture.root.get(`/svc/api/subscriptions/${id}/missed-runs`)).body.items.map(
      ({ missedCount, reason }: { missedCount: number; reason: string }) => ({ missedCount, reason }),
    );
  const noticesOf = (id: number) => watched.notices.filter(({ subject }) => subject.id === id);

  test('are recorded as skipped and not as an outage, and the owner is notified once with both figures', async () => {
    const id = await everyMinute('Skip');
    for (const minutesAgo of [12, 10, 8, 6]) await ran(id, minutesAgo, 75);
    await ran(id, 5, 1);
    await check();
    // The slot 5 minutes ago has a run. The slots 11, 9 and 7 minutes ago passed during earlier runs of 75 s.
    expect(await recordsOf(id)).toEqual([{ missedCount: 3, reason: 'PreviousRunning' }]);
    expect(noticesOf(id)).toMatchObject([
      { kind: 'RunOverlapped', facts: { runSeconds: 75, intervalSeconds: 60, isUnderWay: false } },
    ]);
    const slots = await sql(
      'select count(*)::int as count from svc.skipped_slots where subscription_id = $1',
      [id],
    );
    expect(slots).toEqual([{ count: 3 }]);
    await sql(
      `update svc.subscriptions set watch_due_at = date_trunc('minute', now()) - interval '12 minutes' where id = $1`,
      [id],
    );
    await check();
    expect(await recordsOf(id)).toEqual([{ missedCount: 3, reason: 'PreviousRunning' }]);
    expect(noticesOf(id)).toHaveLength(1);
  });

  test('are recorded while that run is still in progress, and the message states this', async () => {
    const id = await everyMinute('Skip');
    await ran(id, 12, null);
    await check();
    const [record] = await recordsOf(id);
    expect(record.reason).toBe('PreviousRunning');
    expect(record.missedCount).toBeGreaterThanOrEqual(6);
    expect(noticesOf(id)).toMatchObject([
      { kind: 'RunOverlapped', facts: { intervalSeconds: 60, isUnderWay: true } },
    ]);
  });

  test('are missed if quiet hours had suspended that run: it was not in progress', async () => {
    const id = await everyMinute('Skip');
    await ran(id, 12, 3_000, 5);
    await check();
    expect(await recordsOf(id)).toEqual([{ missedCount: expect.any(Number), reason: 'NotStarted' }]);
    expect(noticesOf(id)).toMatchObject([{ kind: 'RunMissed' }]);
  });

  test('are not missed if the subscription queues: they wait for their turn', async () => {
    const id = await everyMinute('Queue');
    await ran(id, 12, null);
    await check();
    expect(await recordsOf(id)).toEqual([]);
    expect(noticesOf(id)).toEqual([]);
  });
});

test('an archived subscription is not watched', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 3);
  await fixture.root.delete(`/svc/api/subscriptions/${id}`);
  await check();
  expect(await missedOf(id)).toBeNull();
});
