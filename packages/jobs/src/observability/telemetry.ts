import { bucketEdgesMs } from './counters.ts';

/** Attributes of spans and meters. */
export type TelemetryAttributes = Readonly<Record<string, string | number>>;

/** A span that attributes can be put on. */
export type TelemetrySpan = { setAttributes(attributes: TelemetryAttributes): unknown };

/** One call as the meters count it. */
export type MeteredCall = {
  readonly durationMs: number;
  /** Dimensions of `job.endpoint.calls` and `job.endpoint.duration`. */
  readonly dimensions: TelemetryAttributes;
  /** Dimensions of `http.server.request.duration`, by the names of the semantic conventions. */
  readonly standardDimensions: TelemetryAttributes;
};

/** Where detail and aggregates go in place of, or beside, the database. */
export type EndpointTelemetry = {
  /** The span in which a request is served; asked for when the request begins. */
  currentSpan(): TelemetrySpan | undefined;
  /** Counts one call. */
  record(call: MeteredCall): void;
};

type MeterOptions = {
  description: string;
  unit: string;
  advice?: { explicitBucketBoundaries: number[] };
};

/** The part of the module `@opentelemetry/api` that is used: the library itself does not depend on it. */
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

/** Boundaries that the semantic conventions advise for `http.server.request.duration`, in seconds. */
const standardEdges = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Telemetry over OpenTelemetry: `openTelemetry(await import('@opentelemetry/api'))`. Detail goes on the active span;
 * the meters are `job.endpoint.calls`, `job.endpoint.duration` (ms, the library's own buckets) and the standard
 * `http.server.request.duration` (s).
 *
 * @param options.hasServerDuration false where the host's HTTP instrumentation records the standard meter already.
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
