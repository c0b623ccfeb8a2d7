import type { ServerResponse } from 'node:http';
import { metrics } from '@opentelemetry/sdk-node';
import { expect, onTestFinished, test } from 'vitest';
import { gaugesOfNow } from './gauges-of-now.ts';
import { createPrometheus } from './prometheus.ts';

/** Records a gauge with changing labels, and a counter. */
function measured(reader: metrics.IMetricReader) {
  const provider = new metrics.MeterProvider({ readers: [reader] });
  onTestFinished(() => provider.shutdown());
  const meter = provider.getMeter('test');
  const present = new Set<string>();
  meter.createObservableGauge('late').addCallback((result) => {
    for (const name of present) result.observe(name.length, { name });
  });
  const came = meter.createCounter('came');
  return { present, came };
}

test('the gauges that Prometheus fetches omit removed series, and counters continue', async () => {
  const { reader, answer } = createPrometheus();
  const { present, came } = measured(reader);
  const text = async (): Promise<string> => {
    const bodies: string[] = [];
    const response = { writeHead: () => undefined, end: (body: string) => bodies.push(body) };
    await answer({ method: 'GET' } as never, response as unknown as ServerResponse);
    return bodies.join('');
  };
  for (const name of ['one', 'three']) present.add(name);
  came.add(2);
  expect(await text()).toMatch(/^late\{name="one"\} 3\nlate\{name="three"\} 5$/m);
  present.delete('one');
  came.add(1);
  const next = await text();
  expect(next).toMatch(/^late\{name="three"\} 5$/m);
  expect(next).not.toContain('one');
  expect(next).toMatch(/^came_total(\{\})? 3$/m);
  present.delete('three');
  expect(await text()).not.toMatch(/^late/m);
  present.add('one');
  expect(await text()).toMatch(/^late\{name="one"\} 3$/m);
});

test('an exporter that sends to a collector omits removed series of gauges, too', async () => {
  const exporter = new (gaugesOfNow(metrics.InMemoryMetricExporter))(
    metrics.AggregationTemporality.CUMULATIVE,
  );
  const reader = new metrics.PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const { present, came } = measured(reader);
  const points = async () => {
    exporter.reset();
    await reader.forceFlush();
    return exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      .flatMap(({ descriptor, dataPoints }) => dataPoints.map(({ value }) => [descriptor.name, value]));
  };
  present.add('one');
  came.add(2);
  expect(await points()).toEqual([
    ['late', 3],
    ['came', 2],
  ]);
  present.clear();
  came.add(1);
  expect(await points()).toEqual([['came', 3]]);
});
