import { setTimeout as delay } from 'node:timers/promises';
import { metrics, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { NodeSDK, metrics as sdkMetrics, tracing } from '@opentelemetry/sdk-node';
import { currentTraceId, type TelemetryProviders } from '@svc/server';
import { gaugesOfNow } from './gauges-of-now.ts';
import { createPrometheus, type Prometheus } from './prometheus.ts';

/** Measurements and traces of the standalone process. */
export type HostTelemetry = {
  readonly providers: TelemetryProviders;
  /** Returns the metrics in the text format of Prometheus; undefined if they are not served. */
  readonly answerMetrics: Prometheus['answer'] | undefined;
  /** Sends remaining telemetry to the collector, within a time limit. */
  readonly close: () => Promise<void>;
};

export type WantedTelemetry = {
  readonly servesMetrics: boolean;
  readonly sendsMetrics: boolean;
  readonly sendsTraces: boolean;
};

const serviceName = 'svc';
/**
 * A healthy collector accepts the remaining telemetry quickly. This limit prevents an unavailable collector from
 * delaying a stop.
 */
const leaveMaxMs = 3_000;

/** Returns the usual generator of ids, except for a job without a recorded span: its spans get the job's trace id. */
function jobTraceIds(): tracing.IdGenerator {
  const random = new tracing.RandomIdGenerator();
  return {
    generateTraceId: () => currentTraceId() ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
  };
}

/**
 * Starts the SDK of the process. It disables unused parts explicitly, because the SDK would otherwise send to a
 * collector on this machine.
 */
export function startSdk(
  wanted: WantedTelemetry,
  env: Readonly<Record<string, string | undefined>>,
): HostTelemetry {
  const prometheus = wanted.servesMetrics ? createPrometheus() : undefined;
  // For other protocols than protobuf, the SDK creates the reader.
  const readers =
    wanted.sendsMetrics && !prometheus && !speaksProtobuf(env)
      ? undefined
      : [...(prometheus ? [prometheus.reader] : []), ...(wanted.sendsMetrics ? [otlpReader(env)] : [])];
  const sdk = new NodeSDK({
    ...(env['OTEL_SERVICE_NAME'] ? {} : { serviceName }),
    idGenerator: jobTraceIds(),
    instrumentations: [new RuntimeNodeInstrumentation()],
    logRecordProcessors: [],
    ...(readers && { metricReaders: readers }),
    ...(!wanted.sendsTraces && { spanProcessors: [] }),
  });
  sdk.start();
  return {
    providers: { meterProvider: metrics.getMeterProvider(), tracerProvider: trace.getTracerProvider() },
    answerMetrics: prometheus?.answer,
    // Ignores a rejection by the collector, so that it never blocks a stop.
    close: () =>
      Promise.race([sdk.shutdown().catch(() => undefined), delay(leaveMaxMs, undefined, { ref: false })]),
  };
}

const speaksProtobuf = (env: Readonly<Record<string, string | undefined>>): boolean =>
  ['', 'http/protobuf'].includes(
    (env['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? '').trim(),
  );

/** Creates the reader that sends metrics to a collector, by the standard variables. */
function otlpReader(env: Readonly<Record<string, string | undefined>>): sdkMetrics.MetricReader {
  const intervalMs = Number(env['OTEL_METRIC_EXPORT_INTERVAL']);
  const timeoutMs = Number(env['OTEL_METRIC_EXPORT_TIMEOUT']);
  const exportIntervalMillis = intervalMs > 0 ? intervalMs : exportIntervalMs;
  return new sdkMetrics.PeriodicExportingMetricReader({
    exporter: new (gaugesOfNow(OTLPMetricExporter))(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(timeoutMs > 0 ? timeoutMs : exportTimeoutMs, exportIntervalMillis),
  });
}

/** Defaults of the standard. */
const exportIntervalMs = 60_000;
const exportTimeoutMs = 30_000;
