import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: RunFixture;
let viewer: HttpClient;
let subscriptionId: number;

const sql = (statement: string, values: unknown[] = []) => fixture.svc.database.query(statement, values);
const tower = async (client: HttpClient) =>
  (await client.get('/svc/api/control-tower/health')).body.items[0].reasons as string[];
const activity = async (client: HttpClient) =>
  (await client.get('/svc/api/home/activity?pageSize=50')).body.items.filter(
    ({ kind }: { kind: string }) => kind === 'AnomalyDetected',
  );

beforeAll(async () => {
  fixture = await startRunFixture();
  viewer = await fixture.person('viewer', 'Viewer');
  const queryId = await fixture.addQuery('select 1 as one', { name: 'counted' });
  subscriptionId = (await fixture.addSubscription({ queryId, recipientIds: [await fixture.addRecipient()] }))
    .id;
  await sql(
    `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, finished_at, data_source_ids,
       result_count, anomaly_direction, anomaly_severity, anomaly_explanation)
     values ($1, $2, $3, 'Schedule', date_trunc('milliseconds', now()), 'Silenced', now(), array[$4::int], 412, 'Up',
       'High', '412 rows; 18 to 35 were expected, from 20 runs.')`,
    [subscriptionId, queryId, fixture.projectId, fixture.sourceId],
  );
});
afterAll(() => fixture.close());

test('an anomaly without a verdict is a reason in the control tower, and an anomaly with a verdict is not', async () => {
  expect(await tower(viewer)).toContain('AnomalyOpen');
  const { rows } = await sql('select id from svc.runs where anomaly_direction is not null');
  const verdict = `/svc/api/subscriptions/${subscriptionId}/anomalies/${rows[0].id}/verdict`;
  expect((await fixture.root.post(verdict, { verdict: 'Real' })).status).toBe(204);
  expect(await tower(viewer)).not.toContain('AnomalyOpen');
  expect((await fixture.root.post(verdict, { verdict: null })).status).toBe(204);
  expect(await tower(viewer)).toContain('AnomalyOpen');
});

test('the activity on the home page contains the anomaly with its explanation and its run', async () => {
  expect(await activity(viewer)).toMatchObject([
    {
      queryName: 'counted',
      subscriptionId,
      notificationId: expect.any(Number),
      taskId: null,
      count: 412,
      comment: '412 rows; 18 to 35 were expected, from 20 runs.',
    },
  ]);
});

test('a user who cannot see the run sees the anomaly neither on the home page nor in the control tower', async () => {
  await sql('update svc.runs set data_source_ids = array[999]');
  expect(await activity(viewer)).toEqual([]);
  expect(await tower(viewer)).not.toContain('AnomalyOpen');
  expect(await activity(fixture.root)).toHaveLength(1);
});
