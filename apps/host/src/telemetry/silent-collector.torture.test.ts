import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { loadConfig } from '@svc/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTelemetry } from './index.ts';

test('a collector that accepts connections and never answers does not delay a stop', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  // An exporter would wait for an hour.
  for (const name of ['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_BSP_EXPORT_TIMEOUT', 'OTEL_METRIC_EXPORT_TIMEOUT'])
    vi.stubEnv(name, '3600000');
  const telemetry = await startTelemetry(loadConfig({}).config, process.env);
  telemetry?.providers.tracerProvider?.getTracer('test').startSpan('a span').end();
  await telemetry?.close();
  expect(sockets).not.toEqual([]);
});
