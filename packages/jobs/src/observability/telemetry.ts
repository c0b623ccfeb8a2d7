import { bucketEdgesMs } from './counters.ts';

export type TelemetryAttributes = Readonly<Record<string, string | number>>;

/** Span that accepts attributes. */
export type TelemetrySpan = { setAttributes(attributes: TelemetryAttributes): unknown };

/** Values of one call for the meters. */
export type MeteredCall = {
  readonly durationMs: number;
  /** Dimensions of `job.endpoint.calls` and `job.endpoint.duration`. */
  readonly dimensions: TelemetryAttributes;
  /** Dimensions of `http.server.request.duration`, with the names of the semantic conventions. */
  readonly standardDimensions: TelemetryAttributes;
};

/** Destination of call details and aggregates, instead of the database or in addition to it. */
export type EndpointTelemetry = {
  /** Returns the span in which a request is served. Called when the request begins. */
  currentSpan(): TelemetrySpan | undefined;
  record(call: MeteredCall): void;
};

type MeterOptions = {
  description: string;
  unit: string;
  advice?: { explicitBucketBoundaries: number[] };
};

/** Subset of the module `@opentelemetry/api` that the library uses. The library itself does not depend on it. */
export type OpenTelemetryApi = {
  readonly trace: { getActiveSpan(): TelemetrySpan | undefined };
  readonly metrics: {
    getMeter(name: string): {
      createCounter(
        name: string,
        options: MeterOptions,
      ): { add(value: number, attributes: TelemetryAttributes): void };
      createHistogram(
        name: string,
        options: MeterOptions,
      ): { record(value: number, attributes: TelemetryAttributes): void };
    };
  };
};

/** Bucket boundaries in seconds that the semantic conventions advise for `http.server.request.duration`. */
const standardEdges = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Returns telemetry for OpenTelemetry: `openTelemetry(await import('@opentelemetry/api'))`. The active span receives
 * the details. The meters are `job.endpoint.calls`, `job.endpoint.duration` (ms, the library's buckets) and the
 * standard `http.server.request.duration` (s).
 *
 * @param options.hasServerDuration false where the host's HTTP instrumentation already records the standard meter.
 *   Default true.
 */
export function openTelemetry(
  api: OpenTelemetryApi,
  options: { readonly hasServerDuration?: boolean } = {},
): EndpointTelemetry {
  const meter = api.metrics.getMeter('@svc/jobs');
  const calls = meter.createCounter('job.endpoint.calls', {
    description: 'Calls of endpoints of the job library.',
    unit: '{call}',
  });
  const duration = meter.createHistogram('job.endpoint.duration', {
    description: 'How long calls of endpoints of the job library took.',
    unit: 'ms',
    advice: { explicitBucketBoundaries: [...bucketEdgesMs] },
  });
  const standard =
    options.hasServerDuration === false
      ? null
      : meter.createHistogram('http.server.request.duration', {
          description: 'Duration of HTTP server requests.',
          unit: 's',
          advice: { explicitBucketBoundaries: standardEdges },
        });
  return {
    currentSpan: () => api.trace.getActiveSpan(),
    record: (call) => {
      calls.add(1, call.dimensions);
      duration.record(call.durationMs, call.dimensions);
      standard?.record(call.durationMs / 1_000, call.standardDimensions);
    },
  };
}
