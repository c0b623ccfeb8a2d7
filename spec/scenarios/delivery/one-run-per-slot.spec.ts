import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { endOfJob, fireTick, loseSessionOnce, requeueToItsEnd } from '@svc/testkit/runs/ticks.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const subscriptions = '/svc/api/subscriptions';
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Quiet hours that cover the whole week. */
const quietHours = {
  timeZone: 'UTC',
  windows: [
    { days, from: '00:00', to: '12:00' },
    { days, from: '12:00', to: '00:00' },
  ],
  criticalPasses: false,
};

/** Creates a subscription to a table. A lock on the table makes its runs wait for their rows. */
async function subscribe(fixture: DeliveryFixture, more: Readonly<Record<string, unknown>> = {}) {
  const { root, svc, source, sink } = fixture;
  await source.sql('create table if not exists slow (id int); insert into slow values (1)');
  const queryId = await fixture.addQuery('select id from slow');
  const recipient = { notificationType: 'Webhook', destination: `${sink.url}/webhook` } as const;
  const recipientIds = [await addRecipient(root, recipient)];
  const id = await addSubscription(root, { queryId, recipientIds, ...more });
  const runs = async () =>
    (await root.get(`/svc/api/notifications?subscriptionId=${id}&sort=dueAt`)).body.items;
  return {
    id,
    runs,
    tick: () => fireTick(svc.database, `subscription:${id}`),
    endOf: (jobId: string) => endOfJob(svc.database, jobId),
    missed: async () => (await root.get(`${subscriptions}/${id}/missed-runs`)).body.items,
    /** Starts a run, calls `work` while the run waits for its rows, then lets the run end. */
    while: async <T>(start: () => Promise<unknown>, work: () => Promise<T>): Promise<T> => {
      const client = await source.pool.connect();
      try {
        await client.query('begin; lock table slow in access exclusive mode');
        await start();
        await until('a run that waits for its rows', async () => {
          const { rowCount } = await source.pool.query(
            "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%slow%'",
          );
          return (rowCount ?? 0) > 0 ? true : undefined;
        });
        return await work();
      } finally {
        await client.query('rollback');
        client.release();
      }
    },
  };
}

scenario(
  ['DL-3.1-20', 'DL-3.1-21'],
  'a due time causes one run and one message if its tick loses its database session or is requeued',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { svc, sink } = fixture;
    const subscribed = await subscribe(fixture);
    await loseSessionOnce(svc.database, {
      table: 'svc.runs',
      event: 'update',
      when: 'new.result_count is not null',
    });
    const { slotAt, jobId } = await subscribed.tick();
    expect(await subscribed.endOf(jobId)).toEqual({ state: 'Completed', attempt: 2 });
    const [run, ...others] = await subscribed.runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ status: 'Sent', dueAt: slotAt.toISOString() });
    expect(await requeueToItsEnd(svc.database, jobId)).toEqual([
      `The run of ${slotAt.toISOString()} (${run.id}) has ended as Sent. No second run is made.`,
    ]);
    expect(await subscribed.runs()).toHaveLength(1);
    expect(sink.received.filter(({ path }) => path === '/webhook')).toHaveLength(1);
  },
);

scenario(
  ['DL-3.1-22', 'DL-3.1-23'],
  'a due time that passes during the previous run is skipped with a reason, and the owner is notified once',
  async ({ deliver }) => {
    const fixture = await deliver();
    const subscribed = await subscribe(fixture);
    const skipped: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { jobId, slotAt } = await subscribed.while(subscribed.tick, subscribed.tick);
      await subscribed.endOf(jobId);
      skipped.push(slotAt.toISOString());
    }
    const runs: { dueAt: string }[] = await subscribed.runs();
    expect(runs).toHaveLength(2);
    expect(runs.filter(({ dueAt }) => skipped.includes(dueAt))).toEqual([]);
    expect(await subscribed.missed()).toMatchObject([
      { firstDueAt: skipped[0], lastDueAt: skipped[1], missedCount: 2, reason: 'PreviousRunning' },
    ]);
    const { items } = (await fixture.root.get('/svc/api/notices')).body;
    expect(items).toMatchObject([{ kind: 'RunOverlapped', subjectId: subscribed.id }]);
    expect(items[0].text).toMatch(/The run takes [\d.]+ s, the interval is \d+ s\./);
  },
);

scenario(
  ['DL-3.1-24'],
  'a manual run, and a run in quiet hours, do not prevent the run of a due time',
  async ({ deliver }) => {
    const fixture = await deliver();
    const byHand = await subscribe(fixture);
    const { jobId } = await byHand.while(
      () => fixture.root.post(`${subscriptions}/${byHand.id}/test-run`),
      byHand.tick,
    );
    await byHand.endOf(jobId);
    expect((await byHand.runs()).map(({ origin }: { origin: string }) => origin).sort()).toEqual([
      'Schedule',
      'Test',
    ]);

    const held = await subscribe(fixture, { quietHours });
    for (let count = 0; count < 2; count += 1) await held.endOf((await held.tick()).jobId);
    expect(await held.runs()).toHaveLength(2);
    for (const { missed } of [byHand, held]) expect(await missed()).toEqual([]);
    expect((await runNow(fixture.root, byHand.id)).status).toBe('Sent');
  },
);

scenario(
  ['DL-3.1-25', 'DL-3.1-26'],
  'with overlap Queue, a due time that passed during a run is run afterwards, and changing overlap retains the schedule',
  async ({ deliver }) => {
    const fixture = await deliver();
    const subscribed = await subscribe(fixture, { overlap: 'Queue' });
    const { jobId } = await subscribed.while(subscribed.tick, subscribed.tick);
    await subscribed.endOf(jobId);
    expect(await subscribed.runs()).toHaveLength(2);
    expect(await subscribed.missed()).toEqual([]);

    const path = `${subscriptions}/${subscribed.id}`;
    const { body: before } = await fixture.root.get(path);
    const { status, body: after } = await fixture.root.patch(path, { overlap: 'Skip' });
    expect([status, after.overlap, after.id]).toEqual([200, 'Skip', subscribed.id]);
    expect(after.schedule).toEqual(before.schedule);
    expect((await fixture.root.patch(path, { overlap: 'Never' })).status).toBe(400);
  },
);
