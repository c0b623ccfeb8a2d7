import { afterAll, beforeAll, expect } from 'vitest';
import { createFixture, eventually, type Fixture } from '../../../packages/jobs/src/testing/fixture.ts';
import {
  endpointIds,
  type ObservedHost,
  shipOrder,
  startObservedHost,
} from '../../../packages/jobs-dashboard/src/testing/observed.ts';
import { type Served, serveDashboard } from '../../../packages/jobs-dashboard/src/testing/served.ts';
import { scenario } from '../support/scenario.ts';

/**
 * Database of a dashboard and of a host that observes its endpoints. The dashboard's own process runs no middleware.
 */
let fixture: Fixture;
let host: ObservedHost;
let dashboard: Served;

const call = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(host.origin + path, {
    ...init,
    headers: { 'content-type': 'application/json', 'x-team': 'desk', 'x-user': 'ada', ...init.headers },
  }).then(async (response) => ({ status: response.status, text: await response.text() }));

const api = (path: string) => dashboard.get(`/jobs/api${path}`);

/** Waits until the endpoint has this number of counted calls. */
const counted = (id: string, calls: number) =>
  eventually(async () => {
    await host.flush();
    const { body } = await api(`/endpoints/${id}`);
    return body.totalCalls === calls;
  }, `${calls} calls`);

beforeAll(async () => {
  fixture = await createFixture();
  dashboard = await serveDashboard(fixture);
});
afterAll(async () => {
  await dashboard.close();
  await host?.close();
  await fixture.close();
});

scenario(
  ['DL-4-08'],
  'the addons route reports active endpoint observability after registration or after recorded calls',
  async () => {
    expect((await api('/addons')).body).toEqual({ endpoints: false });
    const registered = await serveDashboard(fixture, { observesEndpoints: true });
    expect((await registered.get('/jobs/api/addons')).body).toEqual({ endpoints: true });
    await registered.close();
    host = await startObservedHost(fixture);
    await call('/orders/1');
    await counted(endpointIds.read, 1);
    expect((await api('/addons')).body).toEqual({ endpoints: true });
  },
);

scenario(
  ['DL-4-09', 'DL-9.6-07'],
  'a process without middleware and without a worker serves the recorded data of endpoints',
  async () => {
    const { status, body } = await api('/endpoints');
    expect(status).toBe(200);
    expect(body.items).toMatchObject([{ route: 'GET /orders/{id}', totalCalls: 1 }]);
    expect((await api('/endpoints/history')).body.items).toMatchObject([{ calls: 1, errors: 0 }]);
  },
);

scenario(
  ['DL-9.6-02'],
  'the endpoint list contains the call volume, error rate and average latency of each endpoint',
  async () => {
    await call('/orders/2');
    for (let at = 0; at < 3; at++) {
      expect(
        (await call('/fail', { method: 'POST', body: '{"orderId":1,"password":"hunter2"}' })).status,
      ).toBe(500);
    }
    await counted(endpointIds.read, 2);
    await counted(endpointIds.fail, 3);
    const { body } = await api('/endpoints');
    expect(body.items).toMatchObject([
      { id: endpointIds.read, route: 'GET /orders/{id}', totalCalls: 2, errorCount: 0, errorRate: 0 },
      { id: endpointIds.fail, route: 'POST /fail', totalCalls: 3, errorCount: 3, errorRate: 1 },
    ]);
    for (const item of body.items) expect(item.avgDurationMs).toBeGreaterThanOrEqual(0);
  },
);

scenario(
  ['DL-9.6-03'],
  'the details of an endpoint contain percentiles, callers by group and a paged list of recent calls',
  async () => {
    await call('/orders/3', { headers: { 'x-team': 'night' } });
    await counted(endpointIds.read, 3);
    await eventually(async () => (await api(`/endpoints/${endpointIds.read}/calls`)).body.items.length === 3);
    const { body } = await api(`/endpoints/${endpointIds.read}`);
    const edges = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
    for (const name of ['p90DurationMs', 'p95DurationMs', 'p99DurationMs'])
      expect(edges).toContain(body[name]);
    expect(body.groups).toMatchObject([
      { group: 'desk', calls: 2, errors: 0, errorRate: 0, lastFailureAt: null },
      { group: 'night', calls: 1 },
    ]);
    const first = await api(`/endpoints/${endpointIds.read}/calls?limit=2`);
    const second = await api(`/endpoints/${endpointIds.read}/calls?limit=2&offset=2`);
    expect([first.body.items.length, first.body.hasMore]).toEqual([2, true]);
    expect([second.body.items.length, second.body.hasMore]).toEqual([1, false]);
    const ids = [...first.body.items, ...second.body.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toEqual(ids.toSorted().reverse());
    const night = await api(`/endpoints/${endpointIds.read}/calls?group=night`);
    expect(night.body.items).toMatchObject([{ groupName: 'night', statusCode: 200, outcome: 'Success' }]);
    const failing = await api(`/endpoints/${endpointIds.fail}`);
    expect(failing.body.groups).toMatchObject([
      { group: 'desk', errors: 3, lastFailureAt: expect.any(String) },
    ]);
    expect((await api('/endpoints/bm9uZQ')).status).toBe(404);
  },
);

scenario(
  ['DL-9.6-04'],
  'a call contains its caller, tags, and redacted headers and bodies, and a command without secrets',
  async () => {
    await call('/fail', {
      method: 'POST',
      body: `{"orderId":1,"password":"hunter2","note":"it's"}`,
      headers: { authorization: 'Bearer hunter2', 'user-agent': 'tester' },
    });
    await counted(endpointIds.fail, 4);
    const recordedCall = await eventually(async () => {
      const { body } = await api(`/endpoints/${endpointIds.fail}/calls`);
      return body.items.length === 4 && body.items[0];
    });
    const { body, text } = await api(`/endpoints/${endpointIds.fail}/calls/${recordedCall.id}`);
    expect(body).toMatchObject({
      statusCode: 500,
      outcome: 'Failed',
      exceptionType: 'TypeError',
      exceptionMessage: 'The warehouse is closed.',
      remoteIp: '127.0.0.1',
      userAgent: 'tester',
      userName: 'ada',
      groupName: 'desk',
      tags: { region: 'eu' },
      requestHeaders: { authorization: '***' },
      requestBody: `{"orderId":1,"password":"***","note":"it's"}`,
      responseBody: expect.any(String),
      relatedJobs: [],
    });
    expect(body.curl).toContain(`curl -X 'POST'`);
    expect(body.curl).toContain(`-H 'authorization: ***'`);
    expect(body.curl).toContain(`it'\\''s`);
    expect(text).not.toContain('hunter2');
    expect((await api(`/endpoints/${endpointIds.read}/calls/${recordedCall.id}`)).status).toBe(404);
  },
);

scenario(
  ['DL-9.6-05', 'DL-9.6-06'],
  'a call lists the jobs that it created with their state and trace, and each job contains its origin',
  async () => {
    const answer = await call('/orders', { method: 'POST', body: '{"orderId":77}' });
    expect(answer.status).toBe(202);
    const { jobId } = JSON.parse(answer.text) as { jobId: string };
    await counted(endpointIds.create, 1);
    const recordedCall = await eventually(
      async () => (await api(`/endpoints/${endpointIds.create}/calls`)).body.items[0],
    );
    const path = `/endpoints/${endpointIds.create}/calls/${recordedCall.id}`;
    expect((await api(path)).body.relatedJobs).toEqual([
      { id: jobId, name: 'ship-order', state: 'Enqueued', queue: 'shipping' },
    ]);
    const worker = fixture.jobs({ queues: { shipping: { concurrency: 1 } } });
    worker.handle(shipOrder, () => undefined);
    await worker.start();
    await eventually(async () => (await api(path)).body.relatedJobs[0].state === 'Completed');
    const job = (await api(`/jobs/${jobId}`)).body;
    expect(job.origin).toMatchObject({
      id: recordedCall.id,
      endpointId: endpointIds.create,
      method: 'POST',
      routeTemplate: '/orders',
      userName: 'ada',
    });
    const trace = (await api(`/traces/${recordedCall.traceId}`)).body;
    expect(trace.calls).toMatchObject([
      { id: recordedCall.id, endpointId: endpointIds.create, statusCode: 202 },
    ]);
    expect(trace.jobs).toMatchObject([{ id: jobId, attempts: [{ outcome: 'Completed' }] }]);
  },
);
