import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
let fixture: RunFixture;
let viewer: HttpClient;
let count = 0;
beforeAll(async () => {
  fixture = await startRunFixture();
  viewer = await fixture.person('viewer', 'Viewer');
  await fixture.shop.query('create table late (id int primary key)');
});
afterAll(() => fixture.close());
beforeEach(() => fill(0));

const fill = (rows: number) =>
  fixture.shop.query(`truncate late; insert into late select generate_series(1, ${rows})`);

/** Creates a subscription. Returns its sent bodies, and a function that runs it with a given number of rows. */
async function watch(more: Readonly<Record<string, unknown>> = {}) {
  const to = `/alert/${++count}`;
  const queryId = await fixture.addQuery('select id from late');
  const recipientIds = [await fixture.addRecipient(to)];
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds,
    notificationTrigger: 'WhileRows',
    ...more,
  });
  return {
    id,
    to,
    read: async () => (await fixture.root.get(`${path}/${id}`)).body,
    run: async (rows: number) => {
      await fill(rows);
      const { status, comment } = await fixture.runNow(id);
      return [status, comment];
    },
    bodies: () =>
      fixture.sink.received.filter((request) => request.path === to).map(({ text }) => JSON.parse(text)),
  };
}

describe('a subscription with the trigger WhileRows', () => {
  test('notifies once when rows appear and once when they are gone, and states why it is silent in between', async () => {
    const watched = await watch();
    expect(await watched.run(0)).toEqual(['NoResults', null]);
    expect(await watched.run(2)).toEqual(['Sent', null]);
    expect((await watched.read()).alertState).toMatchObject({ state: 'Firing', toldAt: expect.any(String) });
    expect(await watched.run(3)).toEqual(['Silenced', 'Not sent again: the rows are still there.']);
    expect(await watched.run(0)).toEqual(['Sent', null]);
    expect(await watched.run(0)).toEqual(['NoResults', null]);
    const bodies = watched.bodies();
    expect(bodies).toMatchObject([
      { totalRecords: 2, alert: { state: 'Firing', since: expect.any(String) } },
      { totalRecords: 0, records: [], alert: { state: 'Ok', since: expect.any(String) } },
    ]);
    expect(Object.keys(bodies[0].alert)).toEqual(['state', 'since']);
    expect((await watched.read()).alertState).toMatchObject({ state: 'Ok', toldAt: null });
  });

  test('waits for the configured number of runs, and rows below the minimum do not count', async () => {
    const watched = await watch({ minimumRowCount: 2, alert: { pendingRuns: 2, recoverRuns: 2 } });
    expect(await watched.run(1)).toEqual(['BelowThreshold', null]);
    expect(await watched.run(2)).toEqual(['Silenced', 'Not sent yet: 1 of 2 runs in a row have found rows.']);
    expect(await watched.run(2)).toEqual(['Sent', null]);
    expect(await watched.run(1)).toEqual(['BelowThreshold', null]);
    expect((await watched.read()).alertState.state).toBe('Recovering');
    expect(await watched.run(0)).toEqual(['Sent', null]);
    expect(watched.bodies().map(({ alert }) => alert.state)).toEqual(['Firing', 'Ok']);
  });

  test('a failed run does not change the alert state', async () => {
    const watched = await watch({ alert: { tellsRecovery: true } });
    await watched.run(1);
    await fixture.shop.query('alter table late rename to elsewhere');
    expect((await fixture.runNow(watched.id)).status).toBe('Failed');
    await fixture.shop.query('alter table elsewhere rename to late');
    expect((await watched.read()).alertState.state).toBe('Firing');
    expect((await watched.run(1))[0]).toBe('Silenced');
  });

  test('without recovery notifications, the next rows cause a new notification', async () => {
    const watched = await watch({ alert: { tellsRecovery: false } });
    await watched.run(1);
    expect((await watched.run(0))[0]).toBe('NoResults');
    expect((await watched.run(1))[0]).toBe('Sent');
    expect(watched.bodies()).toHaveLength(2);
  });

  test('sends a reminder when the configured time has passed', async () => {
    const watched = await watch({ alert: { remindMinutes: 15 } });
    await watched.run(1);
    expect((await watched.run(1))[0]).toBe('Silenced');
    await fixture.svc.database.query(
      `update svc.alert_states set told_at = told_at - interval '15 minutes' where subscription_id = $1`,
      [watched.id],
    );
    expect((await watched.run(1))[0]).toBe('Sent');
    expect((await watched.run(1))[0]).toBe('Silenced');
    expect(watched.bodies()).toHaveLength(2);
  });

  test('a notification that could not be delivered counts as sent, and the next run does not repeat it', async () => {
    const watched = await watch();
    fixture.sink.answers.set(watched.to, 500);
    expect((await watched.run(1))[0]).toBe('Failed');
    expect((await watched.run(1))[0]).toBe('Silenced');
  });

  test('another minimum, another trigger or a reset causes a new notification for existing rows', async () => {
    const watched = await watch();
    await watched.run(3);
    expect((await fixture.root.patch(`${path}/${watched.id}`, { minimumRowCount: 2 })).status).toBe(200);
    expect((await watched.read()).alertState).toBeNull();
    expect((await watched.run(3))[0]).toBe('Sent');
    expect((await fixture.root.post(`${path}/${watched.id}/alert-reset`)).status).toBe(204);
    expect((await watched.run(3))[0]).toBe('Sent');
    const other = await fixture.root.patch(`${path}/${watched.id}`, { notificationTrigger: 'Always' });
    expect(other.body).toMatchObject({ alert: null, alertState: null });
    const back = await fixture.root.patch(`${path}/${watched.id}`, { notificationTrigger: 'WhileRows' });
    expect(back.body.alert).toEqual({
      pendingRuns: 1,
      recoverRuns: 1,
      remindMinutes: null,
      tellsRecovery: true,
    });
    expect((await watched.run(3))[0]).toBe('Sent');
    const { rows } = await fixture.svc.database.query(
      `select event from svc.audit_events where subject_kind = 'subscription' and subject_id = $1 and event ~ 'alert'`,
      [watched.id],
    );
    expect(rows).toEqual([{ event: 'subscriptions.alert_reset' }]);
  });

  test('a dry run shows the outcome of the next run and changes no state', async () => {
    const watched = await watch();
    await fill(1);
    const dry = () => fixture.root.post(`${path}/${watched.id}/message-preview`, { source: 'DryRun' });
    for (let time = 0; time < 2; time += 1) expect((await dry()).body).toMatchObject({ outcome: 'Notify' });
    expect((await watched.read()).alertState).toBeNull();
    await watched.run(1);
    expect((await dry()).body).toMatchObject({ outcome: 'Silenced' });
  });
});

/** Restores the run to the state after a crash that followed the commit of the outcome, and lets another process resume it. */
async function takeUpAgain(subscriptionId: number) {
  const { rows } = await fixture.svc.database.query(
    `update svc.runs set status = 'Created', reason = null, reason_detail = null, finished_at = null
      where id = (select max(id) from svc.runs where subscription_id = $1) returning id, job_id as "jobId"`,
    [subscriptionId],
  );
  await fixture.svc.database.query('delete from svc.deliveries where run_id = $1', [rows[0].id]);
  await fixture.svc.database.query(
    `update svc_jobs.job set state = 'Enqueued', due_at = now() where id = $1`,
    [rows[0].jobId],
  );
  const { status, comment } = await fixture.endOf(rows[0].id);
  return [status, comment];
}

describe('a run that resumes after its process died', () => {
  test('sends the notification that was decided, and the next run does not repeat it', async () => {
    const watched = await watch();
    await watched.run(1);
    // The state before the recipients were notified.
    await fixture.svc.database.query(
      `update svc.alert_states set told_state = 'Ok', told_at = null where subscription_id = $1`,
      [watched.id],
    );
    await fill(0);
    expect(await takeUpAgain(watched.id)).toEqual(['Sent', null]);
    expect(watched.bodies().map(({ totalRecords }) => totalRecords)).toEqual([1, 1]);
    expect((await watched.run(1))[0]).toBe('Silenced');
  });

  test('counts as one run', async () => {
    const watched = await watch({ alert: { pendingRuns: 2 } });
    const pending = ['Silenced', 'Not sent yet: 1 of 2 runs in a row have found rows.'];
    expect(await watched.run(1)).toEqual(pending);
    expect(await takeUpAgain(watched.id)).toEqual(pending);
    expect(watched.bodies()).toEqual([]);
    expect((await watched.run(1))[0]).toBe('Sent');
  });
});

describe('status 400', () => {
  test.each([
    ['an alert with another trigger', { notificationTrigger: 'Always', alert: {} }, 'alert-without-trigger'],
    ['zero pending runs', { notificationTrigger: 'WhileRows', alert: { pendingRuns: 0 } }, 'invalid-input'],
    [
      'reminders with too short intervals',
      { notificationTrigger: 'WhileRows', alert: { remindMinutes: 14 } },
      'invalid-input',
    ],
  ])('refuses %s with 400 and names the field', async (_what, more, code) => {
    const queryId = await fixture.addQuery('select 1 as one');
    const recipientIds = [await fixture.addRecipient()];
    const body = { queryId, recipientIds, cronExpression: '0 8 * * *', ...more };
    const answer = await fixture.root.post(path, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors[0].path).toMatch(/^\/alert/);
  });
});

test('refuses an alert reset with 403 for a Viewer and with 404 for an unknown subscription', async () => {
  const { id } = await watch();
  expect((await viewer.post(`${path}/${id}/alert-reset`)).status).toBe(403);
  expect((await fixture.root.post(`${path}/999999/alert-reset`)).status).toBe(404);
});
