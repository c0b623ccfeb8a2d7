import type { RunTimeline } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: RunFixture;
let viewer: HttpClient;
let recipientId: number;

beforeAll(async () => {
  fixture = await startRunFixture();
  viewer = await fixture.person('viewer', 'Viewer');
  recipientId = await fixture.addRecipient();
});
afterAll(() => fixture.close());

const timelineOf = async (id: number, client = viewer): Promise<RunTimeline> =>
  (await client.get(`/svc/api/notifications/${id}/timeline`)).body;
const ran = async (sql: string, more: object = {}) => {
  const queryId = await fixture.addQuery(sql);
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds: [recipientId],
    notificationTrigger: 'Always',
    ...more,
  });
  return { subscriptionId: id, run: await fixture.runNow(id) };
};

test('the timeline of a run begins with the request that started it and ends with the tasks that it changed', async () => {
  const { run, subscriptionId } = await ran('select id, email from orders', { createTasks: true });
  const timeline = await timelineOf(run.id);
  expect(timeline).toMatchObject({
    request: {
      method: 'POST',
      route: '/svc/api/subscriptions/{id}/test-run',
      userName: 'The first administrator',
    },
    statements: [
      {
        dataSourceId: fixture.sourceId,
        dataSourceName: 'The watched source',
        outcome: 'Succeeded',
        rowCount: 3,
      },
    ],
    attempts: [
      { recipientId, attempt: 1, origin: 'Run', state: 'Sent', request: { notificationType: 'Webhook' } },
    ],
    tasks: [{ kind: 'Opened', rowCount: 3 }],
  });
  expect(timeline.jobId).toMatch(/^[0-9a-f-]{36}$/);
  const times = [
    timeline.dueAt,
    timeline.startedAt,
    timeline.statements[0]?.from,
    timeline.attempts[0]?.from,
  ];
  expect(times).toEqual(times.toSorted());
  expect(timeline.waitedMs).toBe(Date.parse(timeline.startedAt ?? '') - Date.parse(timeline.dueAt));
  expect(timeline.maskingMs).toBeLessThanOrEqual(timeline.queryMs ?? -1);
  expect(timeline.statements[0]?.durationMs).toBeLessThanOrEqual(timeline.queryMs ?? -1);

  await fixture.shop.query(`insert into orders values (4, 'c4@example.org', 4)`);
  const second = await fixture.runNow(subscriptionId);
  expect((await timelineOf(second.id)).tasks).toMatchObject([{ kind: 'CountChanged', rowCount: 4 }]);
  await fixture.shop.query('delete from orders where id = 4');
  const [task] = timeline.tasks;
  const { items } = (await viewer.get(`/svc/api/tasks/${task?.taskId}/events`)).body;
  const byKind = items.map((event: { kind: string; notificationId: number | null }) => [
    event.kind,
    event.notificationId,
  ]);
  expect(byKind).toEqual([
    ['CountChanged', second.id],
    ['Opened', run.id],
  ]);
});

test('the timeline of a failed run contains the failed statement without its text', async () => {
  const { run } = await ran('select 1 / (id - id) from orders');
  const timeline = await timelineOf(run.id);
  expect(timeline).toMatchObject({
    queryMs: null,
    maskingMs: null,
    attempts: [],
    tasks: [],
    statements: [{ outcome: 'Failed', rowCount: 0 }],
  });
  expect(JSON.stringify(timeline)).not.toContain('select');
});

test('the HTTP class of a response is not in the timeline for a user without the right to see it', async () => {
  const { run } = await ran('select 1 as one');
  const [seen] = (await timelineOf(run.id)).attempts;
  const [technical] = (await timelineOf(run.id, fixture.root)).attempts;
  expect(seen?.response).not.toHaveProperty('httpClass');
  expect(technical?.response.httpClass).toBe('2xx');
});

test('a hidden run, an unknown run and an invalid run id have no timeline', async () => {
  const { run } = await ran('select id from orders');
  const stranger = await fixture.person('stranger', 'Editor');
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  expect((await stranger.get(`/svc/api/notifications/${run.id}/timeline`)).status).toBe(404);
  expect((await fixture.root.get('/svc/api/notifications/999999/timeline')).status).toBe(404);
  expect((await fixture.root.get('/svc/api/notifications/none/timeline')).status).toBe(404);
});
