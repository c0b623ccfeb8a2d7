import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { endOfJob, fireTick, linesOf, requeueToItsEnd } from '@svc/testkit/runs/ticks.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Quiet hours for the whole week. */
const always = {
  timeZone: 'Europe/Zagreb',
  windows: [
    { days, from: '00:00', to: '12:00' },
    { days, from: '12:00', to: '00:00' },
  ],
  criticalPasses: false,
};

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
});
afterAll(() => fixture.close());
beforeEach(() => void fixture.sink.received.splice(0));

const sql = async (statement: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(statement, values)).rows;

async function subscribe(more: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const { id } = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from orders'),
    recipientIds: [await fixture.addRecipient()],
    notificationTrigger: 'Always',
    ...more,
  });
  return id;
}

const tick = (id: number) => fireTick(fixture.svc.database, `subscription:${id}`);
const endOf = (jobId: string) => endOfJob(fixture.svc.database, jobId);
const runsOf = (id: number) =>
  sql('select id::int, status, due_at as "slotAt" from svc.runs where subscription_id = $1 order by due_at', [
    id,
  ]);
const missedOf = async (id: number) =>
  (await fixture.root.get(`/svc/api/subscriptions/${id}/missed-runs`)).body.items;
const noticesOf = async (id: number) =>
  (await fixture.root.get('/svc/api/notices?pageSize=200')).body.items.filter(
    ({ subjectKind, subjectId }: { subjectKind: string; subjectId: number }) =>
      subjectKind === 'Subscription' && subjectId === id,
  );

/** Calls `work` while a run of the subscription waits for the rows of its query. */
async function whileRunning<T>(id: number, start: () => Promise<T>, work: () => Promise<void>): Promise<T> {
  const client = await fixture.shop.connect();
  try {
    await client.query('begin; lock table orders in access exclusive mode');
    const before = (await runsOf(id)).length;
    const started = await start();
    await until('the query of the run', async () => {
      const { rowCount } = await fixture.shop.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%orders%' and datname = current_database()",
      );
      const runs = await sql(
        "select from svc.runs where subscription_id = $1 and status = 'Created' and started_at is not null",
        [id],
      );
      return (rowCount ?? 0) > 0 && runs.length > 0 && (await runsOf(id)).length > before ? true : undefined;
    });
    await work();
    return started;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Ticks while the previous run is in progress. Returns both runs after their end. */
async function overlappingTicks(id: number) {
  const seconds: Awaited<ReturnType<typeof tick>>[] = [];
  const first = await whileRunning(
    id,
    () => tick(id),
    async () => void seconds.push(await tick(id)),
  );
  const [second] = seconds;
  if (!second) throw new Error('The second tick did not fire.');
  await endOf(first.jobId);
  await endOf(second.jobId);
  return { first, second };
}

describe('a slot that passes while the previous run is in progress', () => {
  test('is skipped and recorded as a missed run with its reason, and its owner is notified once', async () => {
    const id = await subscribe();
    const { first, second } = await overlappingTicks(id);
    const runs = await runsOf(id);
    expect(runs).toEqual([{ id: expect.any(Number), status: 'Sent', slotAt: first.slotAt }]);
    expect(fixture.sink.received).toHaveLength(1);
    const slot = second.slotAt.toISOString();
    expect(await missedOf(id)).toMatchObject([
      { firstDueAt: slot, lastDueAt: slot, missedCount: 1, reason: 'PreviousRunning' },
    ]);
    expect((await fixture.root.get(`/svc/api/subscriptions/${id}`)).body.lastMissed).toMatchObject({
      reason: 'PreviousRunning',
    });
    expect(await linesOf(fixture.svc.database, second.jobId)).toEqual([
      `The slot ${slot} is skipped: the previous run (${runs[0].id}) was still running.`,
    ]);
    const notices = await noticesOf(id);
    expect(notices).toMatchObject([{ kind: 'RunOverlapped', notificationId: runs[0].id }]);
    expect(notices[0].text).toMatch(
      /^A run of ".*" was skipped: the previous run was still running\. The run takes [\d.]+ s, the interval is \d+ s\./,
    );

    // Another slot of the same streak: counted, but not notified again.
    await overlappingTicks(id);
    expect(await missedOf(id)).toMatchObject([{ firstDueAt: slot, missedCount: 2 }]);
    expect(await noticesOf(id)).toHaveLength(1);
  });

  test('stays skipped when its tick is requeued by hand, and is counted once', async () => {
    const id = await subscribe();
    const { second } = await overlappingTicks(id);
    const runs = await runsOf(id);
    const [line] = await requeueToItsEnd(fixture.svc.database, second.jobId);
    expect(line).toContain('is skipped');
    expect(await runsOf(id)).toEqual(runs);
    expect(await missedOf(id)).toMatchObject([{ missedCount: 1 }]);
  });

  test('waits for its turn and runs if the subscription queues', async () => {
    const id = await subscribe({ overlap: 'Queue' });
    const { first, second } = await overlappingTicks(id);
    expect(await runsOf(id)).toMatchObject([
      { status: 'Sent', slotAt: first.slotAt },
      { status: 'Sent', slotAt: second.slotAt },
    ]);
    expect(await missedOf(id)).toEqual([]);
    expect(await noticesOf(id)).toEqual([]);
  });

  test('runs if the run in progress is a manual run', async () => {
    const id = await subscribe();
    const ticks: Awaited<ReturnType<typeof tick>>[] = [];
    await whileRunning(
      id,
      async () => fixture.root.post(`/svc/api/subscriptions/${id}/test-run`),
      async () => void ticks.push(await tick(id)),
    );
    await endOf(ticks[0]?.jobId ?? '');
    await until('the end of both runs', async () =>
      (await runsOf(id)).every(({ status }) => status !== 'Created') ? true : undefined,
    );
    expect(
      await sql('select origin, status from svc.runs where subscription_id = $1 order by origin', [id]),
    ).toEqual([
      { origin: 'Schedule', status: 'Sent' },
      { origin: 'Test', status: 'Sent' },
    ]);
    expect(await missedOf(id)).toEqual([]);
  });

  test('runs if quiet hours have suspended the previous run', async () => {
    const id = await subscribe({ quietHours: always });
    const first = await tick(id);
    await endOf(first.jobId);
    const second = await tick(id);
    await endOf(second.jobId);
    expect(await runsOf(id)).toHaveLength(2);
    expect(await missedOf(id)).toEqual([]);
    const [{ started, held }] = await sql(
      `select started_at as started, held_at as held from svc.runs where subscription_id = $1 order by due_at limit 1`,
      [id],
    );
    expect(held.getTime()).toBeGreaterThanOrEqual(started.getTime());
  });
});

describe('the setting overlap', () => {
  const path = (id: number) => `/svc/api/subscriptions/${id}`;

  test('is Skip by default, and changing it does not change the schedule', async () => {
    const id = await subscribe();
    const schedule = () =>
      sql(
        `select j.next_due_at, j.last_due_at, j.updated_at, s.watch_due_at from svc_jobs.schedule j, svc.subscriptions s
          where j.key = 'subscription:' || $1::int and s.id = $1`,
        [id],
      );
    const before = { record: (await fixture.root.get(path(id))).body, schedule: await schedule() };
    expect(before.record.overlap).toBe('Skip');
    const changed = await fixture.root.patch(path(id), { overlap: 'Queue' });
    expect([changed.status, changed.body.overlap, changed.body.version]).toEqual([
      200,
      'Queue',
      before.record.version + 1,
    ]);
    expect(changed.body.schedule).toEqual(before.record.schedule);
    expect(await schedule()).toEqual(before.schedule);
  });

  test('refuses every other value with 400', async () => {
    const id = await subscribe();
    for (const overlap of ['queue', 'Wait', null, true]) {
      const answer = await fixture.root.patch(path(id), { overlap });
      expect(answer.status, JSON.stringify(overlap)).toBe(400);
    }
    const input = {
      queryId: await fixture.addQuery('select 1 as one'),
      recipientIds: [],
      cronExpression: '0 8 * * *',
    };
    const refused = await fixture.root.post('/svc/api/subscriptions', {
      ...input,
      createTasks: true,
      overlap: 'Both',
    });
    expect(refused.status).toBe(400);
  });
});
