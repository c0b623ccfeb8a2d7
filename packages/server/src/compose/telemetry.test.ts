import { context, propagation, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const spans = new InMemorySpanExporter();
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const meterProvider = new MeterProvider({ readers: [reader] });
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });

let fixture: RunFixture;
beforeAll(async () => {
  // A tracing application does the same. Spans get their parents from it.
  tracerProvider.register();
  fixture = await startRunFixture({
    config: { 'Svc:Telemetry:Metrics:PerSubscription': true },
    svc: { telemetry: { meterProvider, tracerProvider } },
  });
}, 300_000);
afterAll(async () => {
  await fixture.close();
  await meterProvider.shutdown();
  await tracerProvider.shutdown();
  for (const api of [trace, context, propagation]) api.disable();
});

const hex = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${hex}-00f067aa0ba902b7-01`;

/** Runs a subscription within a traced request. */
async function tracedRun(sql: string): Promise<{ runId: number; subscriptionId: number }> {
  const { root } = fixture;
  const queryId = await fixture.addQuery(sql);
  const recipientId = await fixture.addRecipient();
  const { id } = await fixture.addSubscription({ queryId, recipientIds: [recipientId] });
  const { status, body } = await root.post(
    `/svc/api/subscriptions/${id}/test-run`,
    {},
    { headers: { traceparent } },
  );
  expect(status).toBe(202);
  const runId = Number(body.notificationId ?? body.runId ?? body.id);
  await fixture.endOf(runId);
  return { runId, subscriptionId: Number(id) };
}

const named = (name: string): ReadableSpan[] =>
  spans.getFinishedSpans().filter((span) => span.name === name && span.spanContext().traceId === hex);

/** Returns the values of a metric with their attributes. */
async function valuesOf(name: string): Promise<{ attributes: object; value: unknown }[]> {
  exporter.reset();
  await reader.forceFlush();
  return exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .filter(({ descriptor }) => descriptor.name === name)
    .flatMap(({ dataPoints }) => dataPoints as { attributes: object; value: unknown }[]);
}

test('a request, its job, its statement and its delivery form one trace, which continues at the receiver', async () => {
  await tracedRun('select * from orders');
  const route = '/svc/api/subscriptions/{id}/test-run';
  const chain = [`POST ${route}`, 'job run-subscription-now', 'run sql PostgreSQL', 'deliver Webhook'];
  await expect.poll(() => chain.map((name) => named(name).length)).toEqual(chain.map(() => 1));
  const [request, job, statement, delivery] = chain.flatMap(named);
  const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
  expect(request?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
  expect(job?.parentSpanContext?.spanId).toBe(idOf(request));
  expect(statement?.parentSpanContext?.spanId).toBe(idOf(job));
  expect(delivery?.parentSpanContext?.spanId).toBe(idOf(job));
  expect(request?.attributes).toMatchObject({
    'http.route': route,
    'http.request.method': 'POST',
    'http.response.status_code': 202,
  });
  expect(statement?.attributes).toMatchObject({ 'db.response.returned_rows': 3, 'svc.steps': 1 });
  expect(delivery?.attributes).toMatchObject({ 'svc.channel': 'Webhook', 'svc.delivery.state': 'Sent' });
  expect(fixture.sink.received.at(-1)?.headers['traceparent']).toBe(`00-${hex}-${idOf(delivery)}-01`);
});

test('spans and metrics contain no text of a query, no value, no destination and no user', async () => {
  await tracedRun("select email as planted from orders where email <> 'planted-value'");
  await reader.forceFlush();
  const exported = JSON.stringify([
    spans
      .getFinishedSpans()
      .map(({ name, attributes, status, events }) => [name, attributes, status, events]),
    exporter.getMetrics(),
  ]);
  for (const secret of ['planted', 'c1@example', fixture.sink.host, 'orders', '/hook'])
    expect(exported.includes(secret), secret).toBe(false);
});

test('metrics count requests by route, runs by status and deliveries by channel, and report queues and lateness', async () => {
  const startedAtSeconds = Date.now() / 1_000;
  const { subscriptionId } = await tracedRun('select 1 as one');
  const requests = await valuesOf('http.server.request.duration');
  expect(requests.map(({ attributes }) => attributes)).toContainEqual({
    'http.request.method': 'POST',
    'http.route': '/svc/api/subscriptions/{id}/test-run',
    'http.response.status_code': 202,
  });
  expect(await valuesOf('svc.runs')).toMatchObject([{ attributes: { status: 'Sent' }, value: 3 }]);
  expect(await valuesOf('svc.deliveries')).toMatchObject([
    { attributes: { channel: 'Webhook', state: 'Sent' }, value: 3 },
  ]);
  expect(await valuesOf('svc.oldest_overdue_subscription')).toMatchObject([{ value: 0 }]);
  const isOwn = ({ attributes }: { attributes: object }) =>
    'subscription_id' in attributes && attributes.subscription_id === String(subscriptionId);
  const lastGood = async () =>
    Number((await valuesOf('svc.subscription.last_good_run.timestamp')).find(isOwn)?.value);
  await expect.poll(lastGood, { interval: 500 }).toBeGreaterThan(startedAtSeconds - 60);
  expect(await lastGood()).toBeLessThan(Date.now() / 1_000 + 60);
});

test('a queue reports how many of its jobs run', async () => {
  const running = tracedRun('select pg_sleep(8)');
  const attributes = { queue: 'runs', state: 'Processing' };
  const during = expect.poll(() => valuesOf('svc.jobs'), { interval: 250 });
  await during.toContainEqual(expect.objectContaining({ attributes, value: 1 }));
  await running;
  const then = expect.poll(() => valuesOf('svc.jobs'), { interval: 250 });
  await then.toContainEqual(expect.objectContaining({ attributes, value: 0 }));
});

test('a due run that does not start increases the age of the oldest overdue subscription', async () => {
  const queryId = await fixture.addQuery('select 1 as one');
  const { id } = await fixture.addSubscription({ queryId, recipientIds: [await fixture.addRecipient()] });
  await fixture.svc.sql(
    // Makes the run due at New Year.
    "update svc.subscriptions set created_time = now() - interval '2 years' where id = $1",
    [id],
  );
  await expect
    .poll(async () => Number((await valuesOf('svc.oldest_overdue_subscription'))[0]?.value), {
      interval: 1_000,
    })
    .toBeGreaterThan(newYearSecondsAgo() - 60);
});

const newYearSecondsAgo = () => {
  const now = new Date();
  return (now.getTime() - Date.UTC(now.getUTCFullYear(), 0)) / 1_000;
};
