import type { IncomingMessage, ServerResponse } from 'node:http';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { metrics } from '@opentelemetry/sdk-node';
import { gaugesOfNow } from './gauges-of-now.ts';

type ResourceMetrics = metrics.ResourceMetrics;

/** Prometheus names for units of UCUM. OpenTelemetry's translation adds them; the serializer does not. */
const unitWords: Readonly<Record<string, string>> = { s: 'seconds', ms: 'milliseconds', By: 'bytes' };
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics for a collector that fetches them. */
export type Prometheus = {
  readonly reader: PrometheusExporter;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
};

/** Creates the reader of metrics and the handler of a collector's requests. Opens no port. */
export function createPrometheus(): Prometheus {
  const reader = new (gaugesOfNow(PrometheusExporter))({ preventServerStart: true });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  return {
    reader,
    answer: async (request, response) => {
      const { resourceMetrics } = await reader.collect();
      const text = serializer.serialize(withUnitWords(resourceMetrics));
      response.writeHead(200, { 'content-type': contentType });
      response.end(request.method === 'HEAD' ? undefined : text);
    },
  };
}

/** Returns the metrics with names that end in their unit: `http_server_request_duration_seconds`. */
const withUnitWords = ({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics => ({
  resource,
  scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map((metric) => {
      const { name, unit } = metric.descriptor;
      const word = unitWords[unit];
      // The unit is removed: its line belongs to another text format.
      const descriptor = { ...metric.descriptor, unit: '', name: word ? `${name}.${word}` : name };
      return { ...metric, descriptor };
    }),
  })),
});
