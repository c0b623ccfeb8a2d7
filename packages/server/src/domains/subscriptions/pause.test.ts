import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
const everySecond = '* * * * * *';
let fixture: RunFixture;
let viewer: HttpClient;
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Subscriptions:MinimumIntervalSeconds': 1 } });
  viewer = await fixture.person('viewer', 'Viewer');
});
afterAll(() => fixture.close());

const subscribe = async (more: Readonly<Record<string, unknown>> = {}): Promise<number> =>
  (
    await fixture.addSubscription({
      queryId: await fixture.addQuery('select 1 as one'),
      recipientIds: [await fixture.addRecipient()],
      notificationTrigger: 'Always',
      ...more,
    })
  ).id;
const change = (id: number, act: 'pause' | 'resume', client = fixture.root) =>
  client.post(`${path}/${id}/${act}`);
const read = async (id: number) => (await fixture.root.get(`${path}/${id}`)).body;
const idsOf = async (state: string): Promise<number[]> =>
  (await fixture.root.get(`${path}?state=${state}&pageSize=200`)).body.items.map(
    ({ id }: { id: number }) => id,
  );
const scheduledCount = async (id: number): Promise<number> =>
  (await fixture.root.get(`/svc/api/notifications?subscriptionId=${id}&pageSize=200`)).body.items.filter(
    ({ origin }: { origin: string }) => origin === 'Schedule',
  ).length;
const eventsOf = async (id: number): Promise<string[]> => {
  const { rows } = await fixture.svc.database.query<{ event: string }>(
    `select event from svc.audit_events where subject_kind = 'subscription' and subject_id = $1 and event ~ 'paused|resumed' order by id`,
    [id],
  );
  return rows.map(({ event }) => event);
};

describe('204', () => {
  test('a paused subscription has no next time and runs only manually, and runs again after its resumption', async () => {
    const id = await subscribe({ cronExpression: everySecond });
    await expect.poll(() => scheduledCount(id)).toBeGreaterThan(0);
    expect((await change(id, 'pause')).status).toBe(204);
    const paused = await read(id);
    expect(paused).toMatchObject({
      state: 'Active',
      pausedSince: expect.any(String),
      schedule: { nextTimes: [] },
    });
    const before = await scheduledCount(id);
    // Another subscription that is due each second has run twice since, so this one had enough time.
    const other = await subscribe({ cronExpression: everySecond });
    await expect.poll(() => scheduledCount(other)).toBeGreaterThan(1);
    await change(other, 'pause');
    expect(await scheduledCount(id)).toBe(before);
    expect((await fixture.runNow(id)).status).toBe('Sent');
    expect((await change(id, 'resume')).status).toBe(204);
    await expect.poll(() => scheduledCount(id)).toBeGreaterThan(before);
    expect(await read(id)).toMatchObject({ pausedSince: null, version: paused.version + 1 });
    await change(id, 'pause');
  });

  test('pausing or resuming twice changes nothing, and each change is audited once', async () => {
    const id = await subscribe();
    for (const act of ['resume', 'pause', 'pause', 'resume', 'resume'] as const)
      expect((await change(id, act)).status).toBe(204);
    expect(await eventsOf(id)).toEqual([
      'subscriptions.subscription_paused',
      'subscriptions.subscription_resumed',
    ]);
  });

  test('the list can be filtered by paused subscriptions, which are also active', async () => {
    const [paused, firing] = [await subscribe(), await subscribe()];
    await change(paused, 'pause');
    expect(await idsOf('Paused')).toContain(paused);
    expect(await idsOf('Paused')).not.toContain(firing);
    expect(await idsOf('Active')).toEqual(expect.arrayContaining([paused, firing]));
  });

  test('a replacement retains the pause, and a reactivated subscription runs again', async () => {
    const id = await subscribe();
    await change(id, 'pause');
    const next = (await fixture.root.post(`${path}/${id}/replace`, { cronExpression: everySecond })).body;
    expect(next).toMatchObject({ pausedSince: expect.any(String), schedule: { nextTimes: [] } });
    const other = await subscribe({ cronExpression: everySecond });
    await expect.poll(() => scheduledCount(other)).toBeGreaterThan(1);
    await change(other, 'pause');
    expect(await scheduledCount(next.id)).toBe(0);
    expect((await read(id)).pausedSince).toBeNull();
    await fixture.root.post(`${path}/${id}/reactivate`);
    expect((await read(id)).schedule.nextTimes).not.toEqual([]);
  });
});

describe('403', () => {
  test('a Viewer can neither pause nor resume', async () => {
    const id = await subscribe();
    expect((await change(id, 'pause', viewer)).status).toBe(403);
    expect((await change(id, 'resume', viewer)).status).toBe(403);
    expect((await read(id)).pausedSince).toBeNull();
  });
});

describe('404', () => {
  test('a subscription that does not exist cannot be paused', async () => {
    expect((await change(2_000_000_000, 'pause')).status).toBe(404);
  });
});

describe('409', () => {
  test('an archived subscription can be neither paused nor resumed', async () => {
    const id = await subscribe();
    await change(id, 'pause');
    await fixture.root.delete(`${path}/${id}`);
    const refused = await change(id, 'pause');
    expect([refused.status, refused.body.code]).toEqual([409, 'subscription-archived']);
    expect((await change(id, 'resume')).status).toBe(409);
    expect(await eventsOf(id)).toEqual(['subscriptions.subscription_paused']);
  });
});

test('in a bulk request each subscription is changed separately, and a refused one has its code', async () => {
  const [first, second, gone] = [await subscribe(), await subscribe(), await subscribe()];
  await fixture.root.delete(`${path}/${gone}`);
  const all = async (act: 'Pause' | 'Resume') =>
    (
      await fixture.root.post(`${path}/bulk`, { act, subscriptionIds: [first, gone, second] })
    ).body.results.map(({ isDone, code }: { isDone: boolean; code: string | null }) => code ?? isDone);
  expect(await all('Pause')).toEqual([true, 'subscription-archived', true]);
  expect([(await read(first)).pausedSince, (await read(second)).pausedSince]).not.toContain(null);
  expect(await all('Resume')).toEqual([true, 'subscription-archived', true]);
  expect([(await read(first)).pausedSince, (await read(second)).pausedSince]).toEqual([null, null]);
});
