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
 * Where measurements and spans go: providers of an OpenTelemetry SDK that the host has set up. The service itself
 * exports nothing. An application that has registered its SDK globally passes
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
  /** Whether that span is recorded; those below it follow it. */
  readonly isSampled: boolean;
};

/** What a span says besides its time. Never a user, a key, a value or SQL text. */
export type SpanFacts = {
  readonly kind: 'Server' | 'Client' | 'Consumer' | 'Internal';
  readonly attributes?: Attributes;
  /** Default: the span in whose course it begins. */
  readonly parent?: RemoteSpan | 'None';
};

/** Measures and traces, where a host asked for it. */
export type Telemetry = {
  readonly meter: Meter;
  /** Begins a span that its caller ends. */
  readonly begin: (name: string, facts: SpanFacts) => Span;
  /** Does work in the course of a span that has begun. */
  readonly within: <T>(span: Span, work: () => T) => T;
  /** Does work in a span of its own, which ends with it and tells of its failure. */
  readonly inSpan: <T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>) => Promise<T>;
};

const kinds = {
  Server: SpanKind.SERVER,
  Client: SpanKind.CLIENT,
  Consumer: SpanKind.CONSUMER,
  Internal: SpanKind.INTERNAL,
} as const;

const scopeName = '@svc/server';

/** Makes the meter and the tracer of the service; they are released with their providers. */
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

/** Marks a span as failed by the kind of its error: the words of an error may hold values. */
export function failSpan(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : 'Error';
  span.setStatus({ code: SpanStatusCode.ERROR, message: type });
  span.setAttribute('error.type', type);
}

/** The ids of a span, when it belongs to a trace that somebody may look at; else undefined. */
export function recordedSpan(span: Span): { readonly traceId: string; readonly spanId: string } | undefined {
  const ids = span.spanContext();
  return isSpanContextValid(ids) && (ids.traceFlags & TraceFlags.SAMPLED) !== 0 ? ids : undefined;
}

/** W3C `traceparent` of the span in whose course this is called; undefined where nothing is recorded. */
export function traceparentHere(): string | undefined {
  const span = trace.getActiveSpan();
  const ids = span && recordedSpan(span);
  return ids && `00-${ids.traceId}-${ids.spanId}-01`;
}
