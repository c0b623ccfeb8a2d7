import { createJobs } from '@svc/jobs';
import { type EndedRun, type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
let fixture: RunFixture;
let count = 0;
beforeAll(async () => {
  fixture = await startRunFixture();
  await fixture.shop.query(
    'create table late (id int primary key, region text, team numeric, due date, email text, open boolean)',
  );
});
afterAll(() => fixture.close());
beforeEach(() => fixture.shop.query('truncate late'));

type Body = {
  readonly totalRecords?: number;
  readonly records: readonly Readonly<Record<string, unknown>>[];
};

const sql = (text: string, values: unknown[] = []) => fixture.svc.database.query(text, values);
const addLate = async (...rows: readonly (readonly [number, string | null])[]) => {
  for (const [id, region] of rows)
    await fixture.shop.query(
      `insert into late
       select n, $2, n, date '2026-01-01' + n, 'c' || n || '@example.org', n = 1 from (select $1::int as n) one`,
      [id, region],
    );
};

/** Creates a subscription with recipients, each at its own path of the sink. */
async function routed(
  names: readonly string[],
  routing: (ids: readonly number[]) => Readonly<Record<string, unknown>> | null,
  more: Readonly<Record<string, unknown>> = {},
) {
  const prefix = `/own/${++count}`;
  const recipientIds: number[] = [];
  for (const name of names) recipientIds.push(await fixture.addRecipient(`${prefix}/${name}`));
  const queryId = await fixture.addQuery('select id, region, team, due, email, open from late order by id');
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds,
    notificationTrigger: 'Always',
    routing: routing(recipientIds),
    ...more,
  });
  const bodies = (name: string): Body[] =>
    fixture.sink.received
      .filter((request) => request.path === `${prefix}/${name}`)
      .map(({ text }) => JSON.parse(text));
  const runs = async () =>
    (
      await sql(
        `select id, status, reason, held_until > now() as "isHeld", unrouted_count as unrouted
         from svc.runs where subscription_id = $1 order by id`,
        [id],
      )
    ).rows;
  return {
    id,
    recipientIds,
    queryId,
    bodies,
    to: (name: string) => `${prefix}/${name}`,
    /** Returns the ids of the rows that a recipient got, by message. */
    idsOf: (name: string) => bodies(name).map(({ records }) => records.map((record) => record['id'])),
    run: (): Promise<EndedRun & { unroutedCount: number | null }> => fixture.runNow(id) as never,
    read: async () => (await fixture.root.get(`${path}/${id}`)).body,
    tick: async () => {
      const before = (await runs()).length;
      const jobs = createJobs({ pool: fixture.svc.database });
      await jobs.schedules.trigger(jobs.executor, `subscription:${id}`);
      return until('a run of the schedule', async () => {
        const run = (await runs())[before];
        return run && (run.isHeld || run.status !== 'Created') ? run : undefined;
      });
    },
  };
}

const byRegion = (ids: readonly number[]) => ({
  column: 'region',
  routes: [
    { value: 'north', recipientId: ids[0] },
    { value: 'south', recipientId: ids[1] },
  ],
});
const unroutedNotices = async (id: number) =>
  (
    await sql(
      `select facts from svc.notices where kind = 'RowsUnrouted' and subject_kind = 'Subscription' and subject_id = $1`,
      [id],
    )
  ).rows;

describe('a subscription that routes its rows', () => {
  test('sends each recipient its own rows and their count, and sends nothing to a recipient without rows', async () => {
    const subscription = await routed(['north', 'south', 'idle'], (ids) => ({
      ...byRegion(ids),
      routes: [...byRegion(ids).routes, { value: 'west', recipientId: ids[2] }],
    }));
    await addLate([1, 'north'], [2, 'south'], [3, 'north']);
    const run = await subscription.run();
    expect(run).toMatchObject({ status: 'Sent', resultCount: 3, unroutedCount: 0 });
    expect(subscription.idsOf('north')).toEqual([[1, 3]]);
    expect(subscription.idsOf('south')).toEqual([[2]]);
    expect(subscription.idsOf('idle')).toEqual([]);
    expect(subscription.bodies('north')[0]).toMatchObject({ totalRecords: 2 });
    expect(run.deliveries).toHaveLength(2);
    expect(run.deliveries.map(({ rowCount }) => rowCount).sort()).toEqual([1, 2]);
  });

  test('sends rows without a matching route only to the fallback recipient', async () => {
    const subscription = await routed(['north', 'south', 'rest'], (ids) => ({
      ...byRegion(ids),
      fallbackRecipientId: ids[2],
    }));
    await addLate([1, 'north'], [2, 'North'], [3, null], [4, ' north'], [5, '']);
    expect(await subscription.run()).toMatchObject({ status: 'Sent', unroutedCount: 0 });
    expect(subscription.idsOf('north')).toEqual([[1]]);
    expect(subscription.idsOf('rest')).toEqual([[2, 3, 4, 5]]);
    expect(await unroutedNotices(subscription.id)).toEqual([]);
  });

  test('counts rows without a recipient, and notifies the owner once', async () => {
    const subscription = await routed(['north', 'south'], byRegion);
    await addLate([1, 'north'], [2, 'east'], [3, null]);
    expect(await subscription.run()).toMatchObject({ status: 'Sent', unroutedCount: 2 });
    expect(subscription.idsOf('north')).toEqual([[1]]);
    await subscription.run();
    expect(await unroutedNotices(subscription.id)).toEqual([{ facts: { count: 2 } }]);
    await fixture.shop.query(`delete from late where id > 1`);
    expect(await subscription.run()).toMatchObject({ unroutedCount: 0 });
    await addLate([2, 'east']);
    await subscription.run();
    expect(await unroutedNotices(subscription.id)).toHaveLength(2);
  });

  test('sends nothing if no recipient has a row', async () => {
    const subscription = await routed(['north', 'south'], byRegion);
    await addLate([1, 'east']);
    const run = await subscription.run();
    expect(run).toMatchObject({ status: 'Silenced', unroutedCount: 1, deliveries: [] });
    expect(run.comment).toContain('no route');
    expect(subscription.idsOf('north')).toEqual([]);
    expect(await unroutedNotices(subscription.id)).toHaveLength(1);
  });

  test.each([
    ['numbers', 'team', ['1', '2']],
    ['dates', 'due', ['2026-01-02', '2026-01-03']],
    ['booleans', 'open', ['true', 'false']],
    ['the unmasked values of masked cells', 'email', ['c1@example.org', 'c2@example.org']],
  ])('routes rows by %s', async (_what, column, [one, two]) => {
    const subscription = await routed(['one', 'two'], (ids) => ({
      column,
      routes: [
        { value: one, recipientId: ids[0] },
        { value: two, recipientId: ids[1] },
      ],
    }));
    await addLate([1, 'north'], [2, 'south']);
    expect(await subscription.run()).toMatchObject({ status: 'Sent', unroutedCount: 0 });
    expect(subscription.idsOf('one')).toEqual([[1]]);
    expect(subscription.idsOf('two')).toEqual([[2]]);
    expect(JSON.stringify([subscription.bodies('one'), subscription.bodies('two')])).not.toContain('c1@');
  });

  test('treats hostile values as text only', async () => {
    const hostile = [
      `'; drop table late; --`,
      '__proto__',
      'constructor',
      '\u0001 \\ "quoted" \u{1F980}',
      'x'.repeat(400),
      'null',
    ];
    const subscription = await routed(['bad', 'rest'], (ids) => ({
      column: 'region',
      routes: hostile.map((value) => ({ value, recipientId: ids[0] })),
      fallbackRecipientId: ids[1],
    }));
    await addLate(...hostile.map((value, index) => [index + 1, value] as const), [50, null]);
    expect(await subscription.run()).toMatchObject({ status: 'Sent', unroutedCount: 0 });
    expect(subscription.bodies('bad')).toMatchObject([{ totalRecords: hostile.length }]);
    expect(subscription.idsOf('rest')).toEqual([[50]]);
    const { body } = await fixture.root.get(`${path}/${subscription.id}/routes`);
    expect(body.routes.map(({ value }: { value: string }) => value)).toEqual(hostile);
  });

  test('fails if the column is missing, and names the column', async () => {
    const subscription = await routed(['north'], (ids) => ({
      column: 'gone',
      routes: [{ value: 'a', recipientId: ids[0] }],
    }));
    await addLate([1, 'north']);
    const run = await subscription.run();
    expect(run.status).toBe('Failed');
    expect(run.comment).toContain('gone');
  });

  test('notifies all recipients that no rows remain, without rows', async () => {
    const subscription = await routed(['north', 'south'], byRegion, { notificationTrigger: 'WhileRows' });
    await addLate([1, 'north']);
    expect((await subscription.tick()).status).toBe('Sent');
    expect([subscription.idsOf('north'), subscription.idsOf('south')]).toEqual([[[1]], []]);
    await fixture.shop.query('truncate late');
    expect((await subscription.tick()).status).toBe('Sent');
    expect(subscription.bodies('north')[1]).toMatchObject({ records: [], alert: { state: 'Ok' } });
    expect(subscription.bodies('south')).toMatchObject([{ records: [], alert: { state: 'Ok' } }]);
  });

  test('sends neither rows nor their count when an alert ends with fewer rows than the minimum', async () => {
    const subscription = await routed(['north', 'south'], byRegion, {
      notificationTrigger: 'WhileRows',
      minimumRowCount: 2,
    });
    await addLate([1, 'north'], [2, 'south']);
    expect((await subscription.tick()).status).toBe('Sent');
    await fixture.shop.query('delete from late where id = 2');
    expect((await subscription.tick()).status).toBe('Sent');
    const [, last] = subscription.bodies('south');
    expect(last).toMatchObject({ records: [], alert: { state: 'Ok' } });
    expect(last?.totalRecords ?? null).toBeNull();
  });

  test('sends each recipient its own new and changed rows', async () => {
    const subscription = await routed(['north', 'south'], byRegion, {
      notificationTrigger: 'OnRowChange',
      rowMemory: { keyColumns: ['id'], changes: ['New', 'Changed'] },
    });
    await addLate([1, 'north'], [2, 'south']);
    expect(await subscription.tick()).toMatchObject({ status: 'Silenced', reason: 'Baseline' });
    await addLate([3, 'north'], [4, 'north'], [5, 'south']);
    await fixture.shop.query('update late set team = 77 where id = 2');
    expect((await subscription.tick()).status).toBe('Sent');
    expect(subscription.idsOf('north')).toEqual([[3, 4]]);
    expect(subscription.idsOf('south')).toEqual([[2, 5]]);
    expect(subscription.bodies('north')[0]).toMatchObject({ rowChanges: { new: 2, changed: 0 } });
    expect(subscription.bodies('south')[0]).toMatchObject({ rowChanges: { new: 1, changed: 1 } });
    expect(await subscription.tick()).toMatchObject({ status: 'Silenced', reason: 'NothingChanged' });
  });

  test('sends each recipient one message per own row', async () => {
    const subscription = await routed(['north', 'south'], byRegion, {
      notificationTrigger: 'OnRowChange',
      rowMemory: { keyColumns: ['id'], delivery: 'PerRow' },
    });
    expect((await subscription.tick()).status).toBe('Silenced');
    await addLate([1, 'north'], [2, 'south'], [3, 'north']);
    expect((await subscription.tick()).status).toBe('Sent');
    expect(subscription.idsOf('north').sort()).toEqual([[1], [3]]);
    expect(subscription.idsOf('south')).toEqual([[2]]);
  });

  test('rows without a recipient stay new until a route sends them to a recipient', async () => {
    const subscription = await routed(['north', 'south'], byRegion, {
      notificationTrigger: 'OnRowChange',
      rowMemory: { keyColumns: ['id'] },
    });
    await subscription.tick();
    await addLate([1, 'east']);
    expect(await subscription.tick()).toMatchObject({ status: 'Silenced', reason: 'NothingRouted' });
    const [north] = subscription.recipientIds;
    const { status } = await fixture.root.patch(`${path}/${subscription.id}`, {
      routing: { column: 'region', routes: [{ value: 'east', recipientId: north }] },
    });
    expect(status).toBe(200);
    expect((await subscription.tick()).status).toBe('Sent');
    expect(subscription.idsOf('north')).toEqual([[1]]);
  });

  test('compares the complete result with the minimum row count', async () => {
    const subscription = await routed(['north', 'south'], byRegion, { minimumRowCount: 3 });
    await addLate([1, 'north'], [2, 'south']);
    expect((await subscription.run()).status).toBe('BelowThreshold');
    await addLate([3, 'south']);
    expect((await subscription.run()).status).toBe('Sent');
    expect(subscription.idsOf('north')).toEqual([[1]]);
  });

  test('sends a message suspended by quiet hours to each recipient with its original rows', async () => {
    const everyDay = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    const subscription = await routed(['north', 'south'], byRegion, {
      quietHours: {
        timeZone: 'UTC',
        criticalPasses: false,
        windows: [
          { days: everyDay, from: '00:00', to: '12:00' },
          { days: everyDay, from: '12:00', to: '00:00' },
        ],
      },
    });
    await addLate([1, 'north'], [2, 'south']);
    const held = await subscription.tick();
    expect(held).toMatchObject({ status: 'Created', isHeld: true });
    await fixture.shop.query('truncate late');
    const { rows } = await sql(
      'select no, recipient_id as "recipientId", row_count as "rowCount" from svc.run_messages where run_id = $1 order by no',
      [held.id],
    );
    expect(rows.map(({ recipientId, rowCount }) => [recipientId, rowCount])).toEqual(
      subscription.recipientIds.map((id) => [id, 1]),
    );
    expect(subscription.bodies('north')).toEqual([]);
    await sql('update svc.runs set held_until = now() where id = $1', [held.id]);
    await sql(
      `update svc_jobs.job set due_at = now() where id = (select job_id from svc.runs where id = $1)`,
      [held.id],
    );
    await until('the end', async () => (await fixture.endOf(held.id)).status === 'Sent' || undefined);
    expect([subscription.idsOf('north'), subscription.idsOf('south')]).toEqual([[[1]], [[2]]]);
  });

  test('resends a failed delivery with the message of its recipient', async () => {
    const subscription = await routed(['north', 'south'], byRegion);
    await addLate([1, 'north'], [2, 'south']);
    const to = [subscription.to('north'), subscription.to('south')];
    for (const each of to) fixture.sink.answers.set(each, 500);
    const run = await subscription.run();
    for (const each of to) fixture.sink.answers.delete(each);
    expect(run.status).toBe('Failed');
    fixture.sink.received.length = 0;
    const south = run.deliveries.find((each) => each['recipientId'] === subscription.recipientIds[1]);
    const again = await fixture.root.post(`/svc/api/notifications/${run.id}/deliveries/${south?.id}/resend`);
    expect(again.status).toBe(202);
    await until('the message', async () => subscription.bodies('south')[0]);
    expect(subscription.idsOf('south')).toEqual([[2]]);
    expect(subscription.idsOf('north')).toEqual([]);
  });
});
