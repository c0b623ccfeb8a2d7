import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Meter,
  type MeterProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';

/**
 * Destinations of metrics and spans: the host's OpenTelemetry SDK providers. The service itself exports nothing. An
 * application that has registered its SDK globally passes
 * `{ meterProvider: metrics.getMeterProvider(), tracerProvider: trace.getTracerProvider() }`.
 */
export type TelemetryProviders = {
  readonly meterProvider: MeterProvider;
  readonly tracerProvider: TracerProvider;
};

/** A span of another process or of an earlier job, by its ids in hexadecimal digits. */
export type RemoteSpan = {
  /** 32 digits. */
  readonly traceId: string;
  /** 16 digits. */
  readonly spanId: string;
  /** True if that span is recorded. Its child spans follow this decision. */
  readonly isSampled: boolean;
};

/** Properties of a span, apart from its time. They never contain a user, a key, a value or SQL text. */
export type SpanFacts = {
  readonly kind: 'Server' | 'Client' | 'Consumer' | 'Internal';
  readonly attributes?: Attributes;
  /** Default: the active span. */
  readonly parent?: RemoteSpan | 'None';
};

/** Metrics and traces, if the host enables them. */
export type Telemetry = {
  readonly meter: Meter;
  /** Begins a span. The caller ends it. */
  readonly begin: (name: string, facts: SpanFacts) => Span;
  /** Executes work with the span as the active one. */
  readonly within: <T>(span: Span, work: () => T) => T;
  /** Executes work in a new span, which ends with it and records its failure. */
  readonly inSpan: <T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>) => Promise<T>;
};

const kinds = {
  Server: SpanKind.SERVER,
  Client: SpanKind.CLIENT,
  Consumer: SpanKind.CONSUMER,
  Internal: SpanKind.INTERNAL,
} as const;

const scopeName = '@svc/server';

/** Creates the meter and the tracer of the service. They are released with their providers. */
export function createTelemetry({ meterProvider, tracerProvider }: TelemetryProviders): Telemetry {
  const tracer = tracerProvider.getTracer(scopeName);
  const begin: Telemetry['begin'] = (name, facts) => beginSpan(tracer, name, facts);
  return {
    meter: meterProvider.getMeter(scopeName),
    begin,
    within: (span, work) => context.with(trace.setSpan(context.active(), span), work),
    inSpan: async (name, facts, work) => {
      const span = begin(name, facts);
      try {
        return await context.with(trace.setSpan(context.active(), span), () => work(span));
      } catch (error) {
        failSpan(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

function beginSpan(tracer: Tracer, name: string, { kind, attributes, parent }: SpanFacts): Span {
  const options: SpanOptions = { kind: kinds[kind], ...(attributes && { attributes }) };
  return tracer.startSpan(name, options, contextOf(parent));
}

function contextOf(parent: SpanFacts['parent']): Context {
  if (parent === undefined) return context.active();
  if (parent === 'None') return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.traceId,
    spanId: parent.spanId,
    traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}

/** Marks a span as failed by the kind of its error. The message is left out, because it may contain values. */
export function failSpan(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : 'Error';
  span.setStatus({ code: SpanStatusCode.ERROR, message: type });
  span.setAttribute('error.type', type);
}

/** Returns the ids of a recorded span; undefined otherwise. */
export function recordedSpan(span: Span): { readonly traceId: string; readonly spanId: string } | undefined {
  const ids = span.spanContext();
  return isSpanContextValid(ids) && (ids.traceFlags & TraceFlags.SAMPLED) !== 0 ? ids : undefined;
}

/** Returns the W3C `traceparent` of the active span; undefined without a recorded one. */
export function traceparentHere(): string | undefined {
  const span = trace.getActiveSpan();
  const ids = span && recordedSpan(span);
  return ids && `00-${ids.traceId}-${ids.spanId}-01`;
}
