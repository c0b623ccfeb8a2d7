import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { connect, type HubClient } from '@svc/testkit/client/hub-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heardOf } from './testing/raise.ts';

let fixture: RunFixture;
let owner: HttpClient;
let starter: HttpClient;
let stranger: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture();
  owner = await fixture.person('owner', 'Editor');
  starter = await fixture.person('starter', 'Editor');
  stranger = await fixture.person('stranger', 'Editor');
});
afterAll(() => fixture.close());

const idOf = async (who: HttpClient): Promise<number> => (await who.get('/svc/api/auth/me')).body.userId;

/** Creates a subscription of the owner. */
async function watched(sql = 'select id from orders'): Promise<number> {
  const queryId = await fixture.addQuery(sql);
  const recipientIds = [await fixture.addRecipient()];
  const { id } = await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
  await fixture.root.put(`/svc/api/subscriptions/${id}/owner`, { userId: await idOf(owner) });
  return id;
}
const heard = (client: HubClient, event: Parameters<typeof heardOf>[1], count: number) =>
  until(`${count} × ${event}`, async () => {
    const received = heardOf(client.heard, event);
    return received.length >= count ? received : undefined;
  });

test('a notice event is sent to its reader, and not to another user', async () => {
  const id = await watched('select * from nowhere');
  const clients = {
    owner: await connect(fixture.svc.origin, owner),
    stranger: await connect(fixture.svc.origin, stranger),
  };
  await fixture.runNow(id);
  const [noticeEvent] = await heard(clients.owner, 'NoticeCreated', 1);
  const { body } = await owner.get('/svc/api/notices');
  expect(noticeEvent).toEqual({ noticeId: body.items[0].id, kind: 'RunFailed' });
  await heard(clients.owner, 'NotificationCreated', 1);
  expect(clients.stranger.heard).toEqual([]);
  for (const { connection } of Object.values(clients)) await connection.stop();
});

describe('a run', () => {
  test('is reported once to the owner of its subscription and to its starter, and to no other user', async () => {
    const id = await watched();
    const clients = {
      owner: await connect(fixture.svc.origin, owner),
      starter: await connect(fixture.svc.origin, starter),
      stranger: await connect(fixture.svc.origin, stranger),
    };
    const { body: run } = await starter.post(`/svc/api/subscriptions/${id}/test-run`);
    const runEvent = { notificationId: run.id, kind: 'Sent' };
    expect(await heard(clients.owner, 'NotificationCreated', 1)).toEqual([runEvent]);
    expect(await heard(clients.starter, 'NotificationCreated', 1)).toEqual([runEvent]);
    const [processing, completed] = (await heard(clients.starter, 'JobStatusChanged', 2)) as {
      jobId: string;
      timestamp: string;
    }[];
    expect(processing).toEqual({
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: 'Processing',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(completed).toEqual({ ...processing, state: 'Completed', timestamp: completed?.timestamp });
    // A second run sends an event again. An event to the wrong user would have arrived by then.
    const second = await fixture.runNow(id);
    await heard(clients.owner, 'NotificationCreated', 2);
    expect(heardOf(clients.owner.heard, 'NotificationCreated')).toEqual([
      runEvent,
      { notificationId: second.id, kind: 'Sent' },
    ]);
    expect(heardOf(clients.owner.heard, 'JobStatusChanged')).toEqual([]);
    expect(heardOf(clients.starter.heard, 'NotificationCreated')).toEqual([runEvent]);
    expect(clients.stranger.heard).toEqual([]);
    for (const { connection } of Object.values(clients)) await connection.stop();
  });

  test('reports its progress to its starter only', async () => {
    const id = await watched();
    // The lock blocks the query until the test has received the events.
    const lockSession = await fixture.shop.connect();
    await lockSession.query('begin');
    await lockSession.query('lock table orders in access exclusive mode');
    const clients = [await connect(fixture.svc.origin, owner), await connect(fixture.svc.origin, starter)];
    const { body: run } = await starter.post(`/svc/api/subscriptions/${id}/test-run`);
    const [ownerClient, starting] = clients;
    if (!ownerClient || !starting) throw new Error('Nobody is connected.');
    const [progress] = await heard(starting, 'JobProgressed', 1);
    expect(progress).toEqual({
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      percent: 10,
      stage: 'Running the query',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await lockSession.query('commit');
    lockSession.release();
    await fixture.endOf(run.id);
    await heard(ownerClient, 'NotificationCreated', 1);
    expect(heardOf(ownerClient.heard, 'JobProgressed')).toEqual([]);
    for (const { connection } of clients) await connection.stop();
  });

  test('reports its outcome', async () => {
    const id = await watched('select no_such_column from orders');
    const client = await connect(fixture.svc.origin, owner);
    const run = await fixture.runNow(id);
    expect(await heard(client, 'NotificationCreated', 1)).toEqual([
      { notificationId: run.id, kind: 'Failed' },
    ]);
    await client.connection.stop();
  });

  test('is not reported to an owner who can no longer see it', async () => {
    const id = await watched();
    const client = await connect(fixture.svc.origin, owner);
    const project = `/svc/api/projects/${fixture.projectId}`;
    await fixture.root.put(`${project}/access-mode`, { accessMode: 'Restricted' });
    const hidden = await fixture.runNow(id);
    expect((await owner.get(`/svc/api/notifications/${hidden.id}`)).status).toBe(404);
    await fixture.root.put(`${project}/access-mode`, { accessMode: 'Open' });
    const shown = await fixture.runNow(id);
    expect(await heard(client, 'NotificationCreated', 1)).toEqual([
      { notificationId: shown.id, kind: 'Sent' },
    ]);
    await client.connection.stop();
  });
});
