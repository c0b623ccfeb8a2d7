import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
const everySecond = '* * * * * *';
const dayMs = 86_400_000;
let fixture: RunFixture;
let viewer: HttpClient;
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Subscriptions:MinimumIntervalSeconds': 1 } });
  viewer = await fixture.person('viewer', 'Viewer');
});
afterAll(() => fixture.close());

const ahead = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
const snooze = (id: number, body: unknown, client = fixture.root) =>
  client.post(`${path}/${id}/snooze`, body);
/** Returns the ends of a subscription's scheduled runs, the oldest first. */
const scheduled = async (id: number): Promise<{ status: string; comment: string | null }[]> =>
  (await fixture.root.get(`/svc/api/notifications?subscriptionId=${id}&pageSize=200`)).body.items
    .filter(
      ({ origin, status }: { origin: string; status: string }) =>
        origin === 'Schedule' && status !== 'Created',
    )
    .map(({ status, comment }: { status: string; comment: string | null }) => ({ status, comment }))
    .toReversed();

async function subscribe(
  sql: string,
  to: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const queryId = await fixture.addQuery(sql);
  const recipientIds = [await fixture.addRecipient(to)];
  return (await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always', ...more }))
    .id;
}
const bodiesAt = (to: string) => fixture.sink.received.filter((request) => request.path === to);

describe('204', () => {
  test('during a snooze scheduled runs send nothing, a manual run does, and afterwards scheduled runs send again', async () => {
    const id = await subscribe('select 1 as one', '/snoozed');
    expect((await snooze(id, { until: ahead(1), reason: ' Being moved ' })).status).toBe(204);
    expect((await fixture.root.get(`${path}/${id}`)).body).toMatchObject({
      snoozedUntil: expect.any(String),
      snoozeReason: 'Being moved',
    });
    // The same subscription, due each second from now on.
    await fixture.svc.database.query(`update svc.subscriptions set cron_expression = $2 where id = $1`, [
      id,
      everySecond,
    ]);
    await fixture.root.delete(`${path}/${id}`);
    await fixture.root.post(`${path}/${id}/reactivate`);
    await expect.poll(() => scheduled(id)).not.toEqual([]);
    const [first] = await scheduled(id);
    expect(first).toEqual({ status: 'Silenced', comment: 'Not sent: alerts are snoozed.' });
    expect(bodiesAt('/snoozed')).toEqual([]);
    expect((await fixture.runNow(id)).status).toBe('Sent');
    expect(bodiesAt('/snoozed')).toHaveLength(1);
    expect((await snooze(id, { until: null, reason: 'of no use' })).status).toBe(204);
    expect((await fixture.root.get(`${path}/${id}`)).body).toMatchObject({
      snoozedUntil: null,
      snoozeReason: null,
    });
    await expect.poll(async () => (await scheduled(id)).some(({ status }) => status === 'Sent')).toBe(true);
    await fixture.root.delete(`${path}/${id}`);
    const events = await fixture.svc.database.query<{ event: string }>(
      `select event from svc.audit_events where subject_kind = 'subscription' and subject_id = $1 and event ~ 'snoozed|woken' order by id`,
      [id],
    );
    expect(events.rows.map(({ event }) => event)).toEqual([
      'subscriptions.subscription_snoozed',
      'subscriptions.subscription_woken',
    ]);
  });

  test('a timeout during a snooze is sent to no recipient, and the first timeout afterwards is sent', async () => {
    const id = await subscribe('select pg_sleep(20)', '/slow', { timeoutSeconds: 1 });
    await snooze(id, { until: ahead(1) });
    await fixture.svc.database.query(`update svc.subscriptions set cron_expression = $2 where id = $1`, [
      id,
      everySecond,
    ]);
    await fixture.root.delete(`${path}/${id}`);
    await fixture.root.post(`${path}/${id}/reactivate`);
    await expect.poll(async () => (await scheduled(id)).length).toBeGreaterThan(1);
    for (const { status, comment } of await scheduled(id)) {
      expect(status).toBe('Timeout');
      expect(comment).toContain('the subscription is snoozed');
    }
    expect(bodiesAt('/slow')).toEqual([]);
    await snooze(id, { until: null });
    await expect.poll(() => bodiesAt('/slow').length).toBe(1);
    await fixture.root.delete(`${path}/${id}`);
  });

  test('an expired snooze is not shown', async () => {
    const id = await subscribe('select 1 as one', '/over');
    await snooze(id, { until: ahead(1), reason: 'Over' });
    await fixture.svc.database.query(
      `update svc.subscriptions set snoozed_until = now() - interval '1 second' where id = $1`,
      [id],
    );
    expect((await fixture.root.get(`${path}/${id}`)).body).toMatchObject({
      snoozedUntil: null,
      snoozeReason: null,
    });
  });
});

describe('400', () => {
  test('refuses a time that is in the past, too far in the future, or invalid', async () => {
    const id = await subscribe('select 1 as one', '/refused');
    for (const days of [-1, 91])
      expect(await snooze(id, { until: ahead(days) })).toMatchObject({
        status: 400,
        body: { code: 'snooze-out-of-range', errors: [{ path: '/until' }] },
      });
    for (const body of [
      {},
      { until: 'tomorrow' },
      { until: ahead(1), reason: 'x'.repeat(501) },
      { until: 5 },
    ])
      expect((await snooze(id, body)).status).toBe(400);
  });
});

describe('403 and 404', () => {
  test('refuses a Viewer with 403, and an unknown subscription with 404', async () => {
    const id = await subscribe('select 1 as one', '/others');
    expect((await snooze(id, { until: ahead(1) }, viewer)).status).toBe(403);
    expect((await snooze(999_999, { until: ahead(1) })).status).toBe(404);
  });
});
