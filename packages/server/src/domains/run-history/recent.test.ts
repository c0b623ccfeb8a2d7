import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let viewer: HttpClient;
let stranger: HttpClient;
let noRole: HttpClient;
const subscriptions: number[] = [];
let recipientId: number;
const notifications = '/svc/api/notifications';

const runs = async (client: HttpClient, ids: readonly number[]) =>
  (await client.get(`${notifications}/recent-runs?subscriptionIds=${ids}`)).body.items;
const deliveries = async (client: HttpClient) =>
  (await client.get(`${notifications}/recent-deliveries?recipientIds=${recipientId}`)).body.items;

/** Adds `count` past runs, one minute apart, the newest now. Each was delivered at its end. */
async function addRuns(subscriptionId: number, count: number, status: string): Promise<void> {
  await fixture.svc.database.query(
    `with made as (
       insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, result_count, finished_at, data_source_ids)
       select s.id, q.id, q.project_id, 'Schedule', date_trunc('milliseconds', now() - ago * interval '1 minute'), $3, ago, now(), array[$4::int]
       from svc.subscriptions s join svc.queries q on q.id = s.query_id, generate_series(0, $2::int - 1) ago where s.id = $1
       returning id, due_at)
     insert into svc.deliveries (run_id, run_due_at, recipient_id, attempt, state, origin, message_id, started_at, finished_at)
     select id, due_at, $5, 1, $3, 'Run', 'message-' || id, due_at, due_at from made`,
    [subscriptionId, count, status, fixture.sourceId, recipientId],
  );
}

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  recipientId = await fixture.addRecipient();
  for (const name of ['one', 'two', 'three']) {
    const queryId = await fixture.addQuery('select 1 as one', { name });
    subscriptions.push((await fixture.addSubscription({ queryId, recipientIds: [recipientId] })).id);
  }
  viewer = await fixture.person('viewer', 'Viewer');
  stranger = await fixture.person('stranger', 'Editor');
  noRole = await fixture.person('nobody', []);
  await fixture.svc.database.query(
    `insert into svc.project_members (project_id, user_id, role) select $1, id, 'Viewer' from svc.users where user_name = 'viewer'`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  const [one = 0, two = 0] = subscriptions;
  await addRuns(one, 32, 'Sent');
  await addRuns(two, 2, 'Failed');
});
afterAll(() => fixture.close());

describe('200', () => {
  test('the last 30 runs of each subscription are returned oldest first, and a subscription without runs is omitted', async () => {
    const [one, two, three] = subscriptions;
    const items = await runs(viewer, [two ?? 0, one ?? 0, three ?? 0, one ?? 0]);
    expect(items.map(({ subscriptionId }: { subscriptionId: number }) => subscriptionId)).toEqual([one, two]);
    const counts = items.map((item: { runs: { resultCount: number }[] }) =>
      item.runs.map(({ resultCount }) => resultCount),
    );
    expect(counts).toEqual([Array.from({ length: 30 }, (_, at) => 29 - at), [1, 0]]);
    expect(items[1].runs[0]).toEqual({
      notificationId: expect.any(Number),
      dueAt: expect.any(String),
      status: 'Failed',
      resultCount: 1,
    });
  });

  test('the last 30 attempts for a recipient are returned oldest first, with their state and query name', async () => {
    const [{ deliveries: attempts, ...of }] = await deliveries(viewer);
    expect(of).toEqual({ recipientId });
    expect(attempts).toHaveLength(30);
    expect(attempts.filter(({ state }: { state: string }) => state === 'Failed')).toHaveLength(2);
    const times = attempts.map(({ startedAt }: { startedAt: string }) => startedAt);
    expect(times).toEqual(times.toSorted());
    expect(attempts.at(-1)).toMatchObject({ queryName: expect.stringMatching(/^(one|two)$/) });
  });

  test('runs that the caller cannot see, and their attempts, are omitted', async () => {
    expect(await runs(stranger, subscriptions)).toEqual([]);
    expect(await deliveries(stranger)).toEqual([]);
  });
});

describe('400', () => {
  test.each(['', 'subscriptionIds=', 'subscriptionIds=1,', 'subscriptionIds=1,x', 'subscriptionIds=0'])(
    'refuses recent-runs?%s',
    async (query) => {
      expect((await viewer.get(`${notifications}/recent-runs?${query}`)).status).toBe(400);
    },
  );

  test('refuses more than 200 ids', async () => {
    const ids = Array.from({ length: 201 }, (_, at) => at + 1).join(',');
    expect((await viewer.get(`${notifications}/recent-deliveries?recipientIds=${ids}`)).status).toBe(400);
  });
});

describe('401 and 403', () => {
  test.each(['recent-runs?subscriptionIds=1', 'recent-deliveries?recipientIds=1'])(
    '%s refuses a user without a role with 403 and an anonymous caller with 401',
    async (path) => {
      expect((await noRole.get(`${notifications}/${path}`)).status).toBe(403);
      expect((await fetch(`${fixture.svc.origin}${notifications}/${path}`)).status).toBe(401);
    },
  );
});
