import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type HostProcess, startHost } from '@svc/testkit/service/host-process.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPrograms } from '../../../../tools/test/programs.ts';

const hasPromtool = hasPrograms({
  tests: 'The check of metrics',
  programs: ['promtool'],
  debianPackage: 'prometheus',
});
const token = 'a-token-that-the-collector-of-metrics-has';
/** Requests to the collector: path, size and text. */
const collected: { path: string; bytes: number; text: string }[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  collected.push({ path: request.url ?? '', bytes: body.length, text: body.toString('latin1') });
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
});

let host: HostProcess;
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  host = await startHost({
    settings: {
      'Svc:Telemetry:Metrics:Enabled': true,
      'Svc:Telemetry:Metrics:Port': 0,
      'Svc:Telemetry:Metrics:Token': token,
    },
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      OTEL_BSP_SCHEDULE_DELAY: '500',
    },
  });
}, 600_000);
afterAll(async () => {
  await host?.stop();
  collector.close();
});

const metricsUrl = (): string => {
  const [, url] = /^Metrics: (\S+)$/m.exec(host.said()) ?? [];
  if (url === undefined) throw new Error(`No address of metrics in:\n${host.said()}`);
  return url;
};
const fetchMetrics = (headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
  fetch(metricsUrl(), { headers });
const text = async () => (await fetchMetrics()).text();

test('metrics count requests by route, runs by status and deliveries by channel', async () => {
  await fetch(`${host.origin}/svc/api/home/kpis`);
  await expect
    .poll(text, { timeout: 60_000, interval: 1_000 })
    .toMatch(/^svc_deliveries_total\{.*channel="Webhook".*state="Sent".*\} \d+$/m);
  // A run ends after its deliveries.
  await expect
    .poll(text, { timeout: 60_000, interval: 1_000 })
    .toMatch(/^svc_runs_total\{.*status="Sent".*\} \d+$/m);
  const shown = await text();
  expect(shown).toMatch(
    /^http_server_request_duration_seconds_bucket\{.*http_route="\/svc\/api\/home\/kpis".*le="0\.005".*\} \d+$/m,
  );
  expect(shown).toMatch(/^svc_oldest_overdue_subscription_seconds(\{\})? 0$/m);
  expect(shown).toMatch(/^nodejs_eventloop_/m);
  expect(shown).not.toMatch(/subscription_id|user|email/i);
});

test.skipIf(!hasPromtool)('promtool reports no fault in the text of the metrics', async () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: await text(), encoding: 'utf8' });
  expect(checked.stderr + checked.stdout).toBe('');
  expect(checked.status).toBe(0);
});

/** Metrics that exist only with certain settings. */
const bySetting = /last_good_run|database_replica_lag/;

test('every metric that the dashboard, the alerting rules or the guide names exists', async () => {
  const docs = path.resolve(import.meta.dirname, '../../../../docs');
  for (const file of ['dashboards/svc-overview.json', 'dashboards/alerts.yaml', 'guides/monitoring.md']) {
    const named = readFileSync(path.join(docs, file), 'utf8').match(
      /\b(svc|http_server|nodejs|v8js)_[a-z0-9_]+\b/g,
    );
    const names = new Set((named ?? []).filter((name) => !bySetting.test(name)));
    expect(names.size, file).toBeGreaterThan(0);
    // Metrics of the interval between two readings may be absent from a reading directly after another.
    const absent = async () => {
      const shown = `\n${await text()}`;
      return [...names].filter((name) => !shown.includes(`\n${name}`));
    };
    await expect.poll(absent, { timeout: 60_000, interval: 700, message: file }).toEqual([]);
  }
});

test.skipIf(!hasPromtool)('promtool accepts the alerting rules', () => {
  const rules = path.resolve(import.meta.dirname, '../../../../docs/dashboards/alerts.yaml');
  expect(spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' }).status).toBe(0);
});

test('the metrics require the token, and the probes require none', async () => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${token}` }]) {
    const refused = await fetchMetrics(headers as Record<string, string>);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.text()).not.toContain('svc_runs');
  }
  for (const path of ['/livez', '/readyz'])
    expect((await fetch(new URL(path, metricsUrl()))).status, path).toBe(200);
  expect((await fetch(new URL('/elsewhere', metricsUrl()))).status).toBe(404);
  expect((await fetch(metricsUrl(), { method: 'POST' })).status).toBe(405);
});

test('the public port serves no metrics', async () => {
  const answer = await fetch(`${host.origin}/metrics`, { redirect: 'manual' });
  expect(await answer.text()).not.toContain('svc_runs');
  expect(answer.status).not.toBe(200);
});

test('traces and metrics are sent to the collector of the standard environment variables', async () => {
  await expect
    .poll(() => [...new Set(collected.filter(({ bytes }) => bytes > 0).map(({ path }) => path))].sort(), {
      timeout: 60_000,
    })
    .toEqual(['/v1/metrics', '/v1/traces']);
  const traced = (name: string) => () =>
    collected.some(({ path, text: body }) => path === '/v1/traces' && body.includes(name));
  for (const name of ['job run-subscription-tick', 'deliver Webhook'])
    await expect.poll(traced(name), { timeout: 60_000 }).toBe(true);
});
