import type { Histogram, Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RemoteSpan, recordedSpan, type Telemetry } from '../telemetry/index.ts';

/** Boundaries that the semantic conventions advise for `http.server.request.duration`, in seconds. */
const durationEdges = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Label for unknown methods. Clients choose unknown methods and paths freely, so these are no labels. */
const otherMethods = '_OTHER';
const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Measurement of one request; stored on the request. */
export type MeasuredRequest = { readonly span: Span; readonly startedAtMs: number };

/** Measures requests: one span each, and the standard histogram by method, route and status. */
export type RequestTelemetry = {
  /** Begins the span. @returns the measurement, and the trace id if the trace is recorded. */
  readonly begin: (
    request: FastifyRequest,
    sent: RemoteSpan | undefined,
  ) => { readonly measured: MeasuredRequest; readonly traceId: string | undefined };
  readonly within: <T>(request: FastifyRequest, work: () => T) => T;
};

/** Adds request measurement to an app. A measurement ends when the response was sent or the client disconnected. */
export function addRequestTelemetry(app: FastifyInstance, telemetry: Telemetry): RequestTelemetry {
  const duration = telemetry.meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: durationEdges },
  });
  app.addHook('onResponse', (request, reply, done) => {
    endOf(duration, request, reply.statusCode);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    endOf(duration, request, undefined);
    done();
  });
  return {
    begin: (request, parent) => {
      const method = methodOf(request);
      const route = routeOf(request);
      const span = telemetry.begin(route === undefined ? method : `${method} ${route}`, {
        kind: 'Server',
        parent: parent ?? 'None',
        attributes: {
          'http.request.method': method,
          'url.scheme': request.svc.origin.isSecure ? 'https' : 'http',
          ...(route !== undefined && { 'http.route': route }),
        },
      });
      const measured = { span, startedAtMs: performance.now() };
      return { measured, traceId: recordedSpan(span)?.traceId };
    },
    within: (request, work) => {
      const { measured } = request.svc;
      return measured ? telemetry.within(measured.span, work) : work();
    },
  };
}

/** Ends the measurement of a request once, although a disconnect during the response calls it twice. */
function endOf(duration: Histogram, request: FastifyRequest, status: number | undefined): void {
  const { measured } = request.svc ?? {};
  if (!measured) return;
  delete request.svc.measured;
  const { span, startedAtMs } = measured;
  const route = routeOf(request);
  duration.record((performance.now() - startedAtMs) / 1_000, {
    'http.request.method': methodOf(request),
    ...(route !== undefined && { 'http.route': route }),
    ...(status === undefined ? { 'error.type': 'client_gone' } : { 'http.response.status_code': status }),
  });
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (status === undefined || status >= 500)
    span.setAttribute('error.type', status === undefined ? 'client_gone' : String(status));
  span.end();
}

const methodOf = ({ method }: FastifyRequest): string => (knownMethods.has(method) ? method : otherMethods);

/** Returns the declared route: Fastify's `/queries/:id` is `/queries/{id}`. Undefined without a match. */
const routeOf = ({ routeOptions }: FastifyRequest): string | undefined =>
  routeOptions?.url?.replaceAll(/:(\w+)/g, '{$1}');
