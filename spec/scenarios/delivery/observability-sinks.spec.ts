import { metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { type EndpointObservabilityOptions, openTelemetry } from '@svc/jobs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { eventually } from '../../../packages/jobs/src/testing/fixture.ts';
import { type ObservedHosts, openObservedHosts } from '../support/hosts/observed-host.ts';
import { scenario } from '../support/scenario.ts';

let hosts: ObservedHosts;
beforeAll(async () => {
  hosts = await openObservedHosts();
});
afterAll(() => hosts.close());

type Configure = (options: EndpointObservabilityOptions) => void;
const sql = (text: string, values?: unknown[]) => hosts.fixture.pool.query(text, values);
const edgesMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
const failing = {
  handler: ({ headers }: { headers: Record<string, unknown> }) => {
    if (headers['x-fails'] === '1') throw new Error('broken');
    return 'ok';
  },
};

describe('sinks of endpoint calls', () => {
  const spans = new InMemorySpanExporter();
  const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });

  beforeAll(() => {
    tracerProvider.register();
    metrics.setGlobalMeterProvider(meterProvider);
  });
  afterAll(async () => {
    await tracerProvider.shutdown();
    await meterProvider.shutdown();
  });

  /** Returns the data points of a meter for one route. */
  const meter = async (name: string, route: string) => {
    exported.reset();
    await reader.forceFlush();
    return exported
      .getMetrics()
      .flatMap((resource) => resource.scopeMetrics)
      .flatMap((scope) => scope.metrics)
      .filter((metric) => metric.descriptor.name === name)
      .flatMap((metric): readonly DataPoint<unknown>[] => metric.dataPoints)
      .filter((point) => Object.values(point.attributes).includes(route));
  };

  /** Calls an endpoint twice inside a span of the host: one success, one failure. A response event ends the span. */
  const callTwice = async (configure: Configure, endsAt: 'close' | 'finish' = 'close') => {
    spans.reset();
    const tracer = trace.getTracer('host');
    const host = await hosts.start({
      ...failing,
      configure: (options) => {
        options.telemetry = openTelemetry({ trace, metrics });
        options.groupSelector = () => 'team';
        options.enrich = (_request, tags) => void tags.set('tenant', 'acme');
        configure(options);
      },
      // Like HTTP instrumentation: the span ends when the response finishes or closes.
      around: (response, serve) =>
        tracer.startActiveSpan('request', (span) => {
          response.once(endsAt, () => span.end());
          serve();
        }),
    });
    await host.send({ 'user-agent': 'tester' });
    await host.send({ 'x-fails': '1', authorization: 'planted-secret' });
    await eventually(() => spans.getFinishedSpans().length === 2, 'two spans');
    await host.observer.flush();
    return { host, route: host.identity.split(' ')[1] ?? '', finishedSpans: spans.getFinishedSpans() };
  };

  const expectTelemetry = async ({ route, finishedSpans }: Awaited<ReturnType<typeof callTwice>>) => {
    const [good, bad] = finishedSpans.map((span) => span.attributes);
    expect(good).toMatchObject({
      'job.endpoint.method': 'POST',
      'job.endpoint.route': route,
      'job.endpoint.operation': 'makeThing',
      'job.endpoint.outcome': 'Success',
      'job.endpoint.status_code': 200,
      'job.endpoint.group': 'team',
      'job.endpoint.tag.tenant': 'acme',
      'job.endpoint.user_agent': 'tester',
    });
    expect(good).not.toHaveProperty(['job.endpoint.request_body']);
    expect(bad).toMatchObject({
      'job.endpoint.outcome': 'Failed',
      'job.endpoint.exception.message': 'broken',
      'job.endpoint.request_body': '{"a":1}',
    });
    expect(bad?.['job.endpoint.request_headers']).toContain('"authorization":"***"');
    expect(Object.keys({ ...good, ...bad }).filter((name) => !name.startsWith('job.endpoint.'))).toEqual([]);
    const calls = await meter('job.endpoint.calls', route);
    expect(calls.map((point) => [point.attributes, point.value])).toEqual([
      [
        {
          'job.endpoint.method': 'POST',
          'job.endpoint.route': route,
          'job.endpoint.outcome': 'Success',
          'job.endpoint.group': 'team',
        },
        1,
      ],
      [expect.objectContaining({ 'job.endpoint.outcome': 'Failed' }), 1],
    ]);
    const [duration] = await meter('job.endpoint.duration', route);
    expect(duration?.value).toMatchObject({ count: 1, buckets: { boundaries: edgesMs } });
    const standard = await meter('http.server.request.duration', route);
    expect(standard.map((point) => point.attributes)).toEqual([
      {
        'http.request.method': 'POST',
        'http.route': route,
        'http.response.status_code': 200,
        'url.scheme': 'http',
      },
      expect.objectContaining({ 'http.response.status_code': 500, 'error.type': 'Error' }),
    ]);
  };

  scenario(
    ['DL-9.1-13', 'DL-9.5-01'],
    'the default sink Database writes rows and counters, and neither spans nor meters',
    async () => {
      const { host, route, finishedSpans } = await callTwice((options) =>
        expect(options.sink).toBe('Database'),
      );
      expect(await host.recorded(2)).toHaveLength(2);
      expect(finishedSpans.map((span) => span.attributes)).toEqual([{}, {}]);
      expect(await meter('job.endpoint.calls', route)).toEqual([]);
    },
  );

  scenario(
    ['DL-9.1-13', 'DL-9.5-02', 'DL-9.5-03', 'DL-9.1-03'],
    'the sink Otel writes details to the request span and maintains meters, and writes neither rows nor counters',
    async () => {
      for (const endsAt of ['close', 'finish'] as const) {
        const called = await callTwice((options) => {
          options.sink = 'Otel';
        }, endsAt);
        await expectTelemetry(called);
        expect(await called.host.detail()).toBeNull();
        const { rows } = await sql(
          `select from svc_jobs.endpoint_call_log l join svc_jobs.endpoint_source s on s.id = l.source_id
           where s.route_template = $1`,
          [called.route],
        );
        expect(rows).toEqual([]);
      }
    },
  );

  scenario(['DL-9.1-13', 'DL-9.5-04'], 'the sink Both writes to the database and to telemetry', async () => {
    const called = await callTwice((options) => {
      options.sink = 'Both';
    });
    await expectTelemetry(called);
    expect(await called.host.recorded(2)).toHaveLength(2);
    expect(await called.host.detail()).toMatchObject({ totalCalls: 2, errorCount: 1 });
  });

  scenario(
    ['DL-9.1-13'],
    'an unknown sink and a sink without the telemetry that it needs are refused',
    async () => {
      for (const [sink, message] of [
        ['Kafka', /sink must be one of Database, Otel, Both: Kafka/],
        ['Otel', /The sink Otel needs telemetry/],
        ['Both', /The sink Both needs telemetry/],
      ] as const) {
        const configure: Configure = (options) => void Object.assign(options, { sink });
        await expect(hosts.start({ configure })).rejects.toThrow(message);
      }
    },
  );
});
