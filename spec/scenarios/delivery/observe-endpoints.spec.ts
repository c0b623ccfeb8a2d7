import { createEndpoints, defineJob, endpointIdOf } from '@svc/jobs';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ObservedHosts, openObservedHosts } from '../support/hosts/observed-host.ts';
import { scenario } from '../support/scenario.ts';

let hosts: ObservedHosts;
beforeAll(async () => {
  hosts = await openObservedHosts();
});
afterAll(() => hosts.close());

const allRecorded = async (): Promise<string[]> =>
  (
    await hosts.fixture.pool.query(
      `select method || ' ' || route_template as endpoint
       from svc_jobs.endpoint_call_log l join svc_jobs.endpoint_source s on s.id = l.source_id
       union select endpoint from svc_jobs.endpoint_statistic order by 1`,
    )
  ).rows.map((row) => row.endpoint);

scenario(
  ['DL-9-01', 'DL-9-03', 'DL-9.2-01'],
  'calls are recorded, one row each, once recording is registered and the middleware is installed',
  async () => {
    const halfway = await hosts.start({ isInstalled: false });
    expect((await halfway.send()).status).toBe(200);
    await halfway.observer.flush();
    expect(await halfway.detail()).toBeNull();

    const optionNames: string[] = [];
    const host = await hosts.start({
      configure: (options) => void optionNames.push(...Object.keys(options)),
    });
    expect(optionNames).toContain('sampleRate');
    for (let at = 0; at < 3; at += 1) expect((await host.send()).status).toBe(200);
    expect(await host.recorded(3)).toHaveLength(3);
  },
);

scenario(
  ['DL-1-04'],
  'a request to an exposed handler is recorded with caller, timing, outcome, percentiles, jobs, headers and bodies',
  async () => {
    const job = defineJob<null>({ name: 'spawned', parse: () => null });
    const host = await hosts.start({
      handler: () => hosts.jobs.enqueue(hosts.jobs.executor, job, null),
      configure: (options) => {
        options.captureHeaders = 'Always';
        options.captureRequestBodies = 'Always';
        options.captureResponseBodies = 'Always';
      },
    });
    const response = await host.send({ 'x-asked': 'yes' }, '{"order":7}');
    const text = await response.text();
    const [row] = await host.recorded(1);
    expect(row).toMatchObject({
      remoteIp: '127.0.0.1',
      outcome: 'Success',
      statusCode: 200,
      requestHeaders: { 'x-asked': 'yes' },
      requestBody: '{"order":7}',
      responseBody: text,
    });
    expect(row?.durationMs).toBeGreaterThanOrEqual(0);
    const call = await hosts.jobs.endpoints.call(row?.id ?? '');
    expect(call?.relatedJobs).toMatchObject([{ id: JSON.parse(text).jobId, name: 'spawned' }]);
    const detail = await host.detail();
    expect(detail).toMatchObject({ totalCalls: 1, errorCount: 0 });
    for (const percentile of [detail?.p90DurationMs, detail?.p95DurationMs, detail?.p99DurationMs])
      expect(percentile).toBeGreaterThan(0);
    // By default, a successful call stores neither headers nor bodies.
    const plain = await hosts.start();
    await plain.send();
    const [bare] = await plain.recorded(1);
    expect(bare).toMatchObject({ requestBody: null, responseBody: null, requestHeaders: null });
  },
);

scenario(
  ['DL-9-04'],
  'the middleware cannot be installed without registered recording, and the error states what to do',
  async () => {
    const silent = { debug() {}, info() {}, warn() {}, error() {} };
    const endpoints = createEndpoints({ jobs: hosts.jobs, logger: silent });
    expect(() => endpoints.observe()).toThrow(
      expect.objectContaining({
        code: 'NotRegistered',
        message: expect.stringMatching(/not registered.*addEndpointObservability/),
      }),
    );
  },
);

scenario(
  ['DL-9-02', 'DL-9-05'],
  'requests to the routes, the health check and the files of the host are not observed',
  async () => {
    const host = await hosts.start();
    const before = await allRecorded();
    for (const path of [
      '/own',
      '/health',
      '/static/app.js',
      '/nowhere',
      `${new URL(host.url).pathname}/more`,
    ]) {
      const response = await fetch(`${host.origin}${path}`);
      expect([200, 404]).toContain(response.status);
    }
    // The endpoint's path with another method, and with a value that its constraint refuses.
    expect((await fetch(host.url)).status).toBe(404);
    expect((await fetch(host.url.replace(/5$/, 'x'), { method: 'POST' })).status).toBe(404);
    await host.send();
    await host.recorded(1);
    expect(await allRecorded()).toEqual([...before, host.identity].toSorted());
  },
);

scenario(['DL-9-02'], 'no route of the service is observed', async ({ svc, root }) => {
  expect((await root.get('/svc/api/projects')).status).toBe(200);
  expect((await fetch(`${svc.origin}/svc/api/health`)).status).toBeLessThan(500);
  expect((await fetch(`${svc.origin}/svc/`)).status).toBeLessThan(500);
  const [counted] = await svc.sql<{ calls: number }>(
    `select (select count(*) from svc_jobs.endpoint_call_log)::int
       + (select count(*) from svc_jobs.endpoint_statistic)::int as calls`,
  );
  expect(counted?.calls).toBe(0);
});

scenario(
  ['DL-9.2-15', 'DL-9.2-16', 'DL-9.2-18', 'DL-9.1-14'],
  'named applications have separate rows, counters and endpoints',
  async () => {
    const route = '/shared/{id:int}';
    const named = (applicationName: string | null) =>
      hosts.start({
        route,
        configure: (options) => {
          options.applicationName = applicationName;
        },
      });
    const [billing, shop, plain] = await Promise.all([named('billing'), named('shop'), named(null)]);
    await billing.send();
    await billing.send();
    await shop.send();
    await plain.send();
    for (const host of [billing, shop, plain]) await host.observer.flush();
    const rows = await plain.recorded(4);
    expect(rows.map((row) => row.application).toSorted()).toEqual(
      ['billing', 'billing', null, 'shop'].toSorted(),
    );
    // The documented column name belongs to the view for readers of the database.
    const { rows: viewed } = await hosts.fixture.pool.query(
      `select Application as application from svc_jobs.endpoint_calls where route_template = '/shared/{id}' order by 1`,
    );
    expect(viewed.map((row) => row.application)).toEqual(['billing', 'billing', 'shop', null]);
    const { endpoints } = hosts.jobs;
    const callsOf = async (application: string) =>
      (await endpoints.list({ application })).map((one) => [one.application, one.route, one.totalCalls]);
    expect(await callsOf('billing')).toEqual([['billing', 'POST /shared/{id}', 2]]);
    expect(await callsOf('shop')).toEqual([['shop', 'POST /shared/{id}', 1]]);
    expect(await endpoints.detail(endpointIdOf('POST /shared/{id}'), { application: 'other' })).toBeNull();
    expect(await endpoints.applications()).toEqual(['billing', 'shop']);
    const { rows: keys } = await hosts.fixture.pool.query(
      "select application, success::int as calls from svc_jobs.endpoint_statistic where endpoint = 'POST /shared/{id}' order by 1",
    );
    expect(keys).toEqual([
      { application: '', calls: 1 },
      { application: 'billing', calls: 2 },
      { application: 'shop', calls: 1 },
    ]);
  },
);
