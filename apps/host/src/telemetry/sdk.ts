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
  /** Answers with the metrics in the text format of Prometheus; undefined where they are not served. */
  readonly answerMetrics: Prometheus['answer'] | undefined;
  /** Sends what is left to the collector, where that takes it in time. */
  readonly close: () => Promise<void>;
};

export type WantedTelemetry = {
  readonly servesMetrics: boolean;
  readonly sendsMetrics: boolean;
  readonly sendsTraces: boolean;
};

const serviceName = 'svc';
/** A collector that is well takes what is left in a moment; one that is away would use up the time of a stop. */
const leaveMaxMs = 3_000;

/** Ids of spans as everywhere, but for a job that no recorded span started: it has the trace that its job has. */
function jobTraceIds(): tracing.IdGenerator {
  const random = new tracing.RandomIdGenerator();
  return {
    generateTraceId: () => currentTraceId() ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
  };
}

/**
 * Starts the SDK of the process. What is not asked for is switched off by name, since the SDK would send to a
 * collector on this machine otherwise.
 */
export function startSdk(
  wanted: WantedTelemetry,
  env: Readonly<Record<string, string | undefined>>,
): HostTelemetry {
  const prometheus = wanted.servesMetrics ? createPrometheus() : undefined;
  // Another protocol than the usual one is the SDK's own to speak.
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
    // Rejects where the collector does not take it, which keeps nobody from stopping.
    close: () =>
      Promise.race([sdk.shutdown().catch(() => undefined), delay(leaveMaxMs, undefined, { ref: false })]),
  };
}

const speaksProtobuf = (env: Readonly<Record<string, string | undefined>>): boolean =>
  ['', 'http/protobuf'].includes(
    (env['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? '').trim(),
  );

/** Sends metrics to a collector, by the standard variables. */
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

/** As the standard has them. */
const exportIntervalMs = 60_000;
const exportTimeoutMs = 30_000;
