import { createJobs } from '@svc/jobs';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
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
let count = 0;
beforeAll(async () => {
  fixture = await startRunFixture();
  await fixture.shop.query('create table late (id int primary key)');
});
afterAll(() => fixture.close());

const sql = (text: string, values: unknown[]) => fixture.svc.database.query(text, values);
const fill = (rows: number) =>
  fixture.shop.query(`truncate late; insert into late select generate_series(1, ${rows})`);

type Run = {
  readonly id: number;
  readonly status: string;
  readonly reason: string | null;
  readonly isHeld: boolean;
};

/** Creates a subscription that a test runs as its schedule does. */
async function watch(more: Readonly<Record<string, unknown>> = {}) {
  const to = `/held/${++count}`;
  const queryId = await fixture.addQuery('select id from late');
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds: [await fixture.addRecipient(to)],
    notificationTrigger: 'Always',
    quietHours: always,
    ...more,
  });
  const runs = async (): Promise<Run[]> =>
    (
      await sql(
        `select id, status, reason, held_until > now() as "isHeld" from svc.runs where subscription_id = $1 order by id`,
        [id],
      )
    ).rows;
  return {
    id,
    runs,
    bodies: () =>
      fixture.sink.received.filter((request) => request.path === to).map(({ text }) => JSON.parse(text)),
    /** Runs the schedule once over `rows` rows and waits until the run has ended or is held. */
    tick: async (rows: number): Promise<Run> => {
      await fill(rows);
      const before = (await runs()).length;
      const jobs = createJobs({ pool: fixture.svc.database });
      await jobs.schedules.trigger(jobs.executor, `subscription:${id}`);
      return until('a run of the schedule', async () => {
        const next = (await runs())[before];
        return next && (next.isHeld || next.status !== 'Created') ? next : undefined;
      });
    },
    /** Ends the quiet hours of a run. */
    end: async (runId: number) => {
      await sql('update svc.runs set held_until = now() where id = $1', [runId]);
      await sql(
        'update svc_jobs.job set due_at = now() where id = (select job_id from svc.runs where id = $1)',
        [runId],
      );
      return fixture.endOf(runId);
    },
  };
}

describe('quiet hours', () => {
  test('suspend the message of a run with its original rows, and send it when they end', async () => {
    const watched = await watch();
    const held = await watched.tick(2);
    expect(held).toMatchObject({ status: 'Created', isHeld: true });
    expect(watched.bodies()).toEqual([]);
    const shown = await fixture.root.get(`/svc/api/notifications/${held.id}`);
    expect(shown.body).toMatchObject({ status: 'Created', heldUntil: expect.any(String) });
    await fill(5);
    expect(await watched.end(held.id)).toMatchObject({ status: 'Sent', resultCount: 2, heldUntil: null });
    expect(watched.bodies()).toMatchObject([{ totalRecords: 2 }]);
  });

  test('replace a suspended message by the message of a newer run', async () => {
    const watched = await watch();
    const first = await watched.tick(2);
    const second = await watched.tick(3);
    expect((await watched.runs()).map(({ status, reason }) => [status, reason])).toEqual([
      ['Silenced', 'Superseded'],
      ['Created', null],
    ]);
    expect((await fixture.endOf(first.id)).comment).toContain('a newer run came');
    await watched.end(second.id);
    expect(watched.bodies()).toMatchObject([{ totalRecords: 3 }]);
  });

  test('retain the suspended message if a newer run has nothing to report', async () => {
    const watched = await watch();
    const first = await watched.tick(2);
    expect(await watched.tick(0)).toMatchObject({ status: 'NoResults' });
    await watched.end(first.id);
    expect(watched.bodies()).toMatchObject([{ totalRecords: 2 }]);
  });

  test('send nothing for an alert that opened and closed meanwhile, and one message for an open alert', async () => {
    const watched = await watch({ notificationTrigger: 'WhileRows' });
    await watched.tick(1);
    expect(await watched.tick(0)).toMatchObject({ status: 'NoResults' });
    expect((await watched.runs())[0]).toMatchObject({ status: 'Silenced', reason: 'Superseded' });
    await watched.tick(2);
    const last = await watched.tick(3);
    await watched.end(last.id);
    expect(await watched.tick(4)).toMatchObject({ status: 'Silenced', reason: 'StillFiring' });
    expect(watched.bodies()).toMatchObject([{ totalRecords: 3 }]);
  });

  test('do not suspend a manual run: its message is sent immediately', async () => {
    const watched = await watch();
    await fill(1);
    expect((await fixture.runNow(watched.id)).status).toBe('Sent');
    expect(watched.bodies()).toHaveLength(1);
  });

  test('a snooze that begins meanwhile silences the suspended message', async () => {
    const watched = await watch();
    const held = await watched.tick(1);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await fixture.root.post(`${path}/${watched.id}/snooze`, { until });
    expect(await watched.end(held.id)).toMatchObject({
      status: 'Silenced',
      comment: 'Not sent: alerts are snoozed.',
    });
    expect(watched.bodies()).toEqual([]);
  });

  test('archiving the subscription silences the suspended message', async () => {
    const watched = await watch();
    const held = await watched.tick(1);
    await fixture.root.delete(`${path}/${watched.id}`);
    expect(await watched.end(held.id)).toMatchObject({ status: 'Silenced' });
    expect(watched.bodies()).toEqual([]);
  });

  test('the maintenance job does not end suspended runs, but it ends runs that were abandoned', async () => {
    const watched = await watch();
    const held = await watched.tick(1);
    await sql(`update svc.runs set created_time = now() - interval '1 hour' where id = $1`, [held.id]);
    const jobs = createJobs({ pool: fixture.svc.database });
    const sweep = () => jobs.schedules.trigger(jobs.executor, 'maintenance:end-abandoned-runs');
    await sql(`delete from svc_jobs.job where id = (select job_id from svc.runs where id = $1)`, [held.id]);
    await sweep();
    const other = await watch({ quietHours: null });
    expect(await other.tick(1)).toMatchObject({ status: 'Sent' });
    expect((await watched.runs())[0]).toMatchObject({ status: 'Created', isHeld: true });
    await sql(`update svc.runs set held_until = now() - interval '1 hour' where id = $1`, [held.id]);
    await sweep();
    expect(await fixture.endOf(held.id)).toMatchObject({ status: 'Failed' });
  });
});

test.each([
  ['an unknown time zone', { timeZone: 'Nowhere' }, '/quietHours/timeZone', 'invalid-quiet-hours'],
  [
    'a window without duration',
    { windows: [{ days: ['Monday'], from: '08:00', to: '08:00' }] },
    '/quietHours/windows/0/to',
    'invalid-quiet-hours',
  ],
  [
    'an invalid time',
    { windows: [{ days: ['Monday'], from: '24:00', to: '08:00' }] },
    '/quietHours/windows/0/from',
    'invalid-input',
  ],
  ['no window', { windows: [] }, '/quietHours/windows', 'invalid-input'],
])('quiet hours with %s get 400', async (_what, part, place, code) => {
  const watched = await watch({ quietHours: null });
  const answer = await fixture.root.patch(`${path}/${watched.id}`, { quietHours: { ...always, ...part } });
  expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([400, code, place]);
});
