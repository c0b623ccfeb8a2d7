import type { Histogram, Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RemoteSpan, recordedSpan, type Telemetry } from '../telemetry/index.ts';

/** Boundaries that the semantic conventions advise for `http.server.request.duration`, in seconds. */
const durationEdges = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** A method or a path that no route has is anybody's to choose, and so no label. */
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

/** What is measured of one request; kept beside it. */
export type MeasuredRequest = { readonly span: Span; readonly startedAtMs: number };

/** Measures requests: a span each, and the standard histogram by method, route and status. */
export type RequestTelemetry = {
  /** Begins the span. @returns what is measured, and the id of its trace when somebody may look at it. */
  readonly begin: (
    request: FastifyRequest,
    sent: RemoteSpan | undefined,
  ) => { readonly measured: MeasuredRequest; readonly traceId: string | undefined };
  readonly within: <T>(request: FastifyRequest, work: () => T) => T;
};

/** Adds the measuring of requests to an app: they end when their answer has left, or their client has. */
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

/** Ends what is measured of a request, once: a client that leaves during the answer ends it twice. */
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

/** The route as the service declares it: Fastify's `/queries/:id` is `/queries/{id}`. Undefined where none matched. */
const routeOf = ({ routeOptions }: FastifyRequest): string | undefined =>
  routeOptions?.url?.replaceAll(/:(\w+)/g, '{$1}');
