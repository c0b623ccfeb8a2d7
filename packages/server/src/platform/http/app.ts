import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import cookies from '@fastify/cookie';
import { isBinary, type Page, takesIdempotencyKey } from '@svc/contract';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { anonymousCaller, type Caller } from '../access/caller.ts';
import { type RemoteSpan, recordedSpan, type Telemetry } from '../telemetry/index.ts';
import { moveLocation } from './base-path.ts';
import { type ClientOrigin, clientOriginOf } from './connection/client-address.ts';
import { type GateOptions, gatesOf } from './gates.ts';
import { HandlerContext } from './handler-context.ts';
import { setApiHeaders } from './headers.ts';
import { serveOnce } from './idempotency/serve-once.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import { jsonParser } from './input/json-body.ts';
import { refuseRepeatedHeaders } from './input/repeated-headers.ts';
import { refuseUnstorableInput } from './input/storable-input.ts';
import { refuseTakenBody } from './input/taken-body.ts';
import { closed, serializerCompiler, validatorCompiler } from './input/validation.ts';
import { isPagedList, setPageLinks } from './page-links.ts';
import { cutReply } from './refusals/cut-reply.ts';
import type { HttpProblem } from './refusals/http-problem.ts';
import { type ErrorMapping, toProblem, toRefusal } from './refusals/problems.ts';
import { Refusal } from './refusals/refusal.ts';
import { addRequestTelemetry, type MeasuredRequest, type RequestTelemetry } from './request-telemetry.ts';
import { answered, type Route, type RouteGate } from './route.ts';
import { besideGates, lateRefusal } from './speculation/beside-gates.ts';
import { createKnownCallers, type KnownCallers } from './speculation/known-callers.ts';
import type { Speculation } from './speculation/speculation.ts';

/** Per-request data of the gates. Stored on the request itself, never on a prototype. */
export type RequestFacts = {
  caller: Caller;
  origin: ClientOrigin;
  traceId: string;
  basePath: string;
  /** Set while a read-only route runs before the confirmation of its caller. */
  speculation?: Speculation;
  /** Measurement of the request, until its end. Set only if telemetry is enabled. */
  measured?: MeasuredRequest;
};

declare module 'fastify' {
  interface FastifyRequest {
    svc: RequestFacts;
  }
  interface FastifyContextConfig {
    gate?: RouteGate | undefined;
  }
}

/** A state-changing request at the start of its handler. */
export type ChangingRequest = {
  readonly method: string;
  /** Declared path: `/svc/api/subscriptions/{id}/test-run`. */
  readonly route: string;
  readonly caller: Caller;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Id of the recorded span of the request, 16 hexadecimal digits. */
  readonly spanId?: string;
};
export type InCourseOf = (request: ChangingRequest, work: () => Promise<unknown>) => Promise<unknown>;

/** Data access of routes that tolerate replica lag. */
export type LateReading = {
  readonly read: <T>(caller: string, read: () => Promise<T>) => Promise<T>;
  /** Called before the response to a caller's write is sent. */
  readonly noteWrite: (caller: string) => Promise<void>;
};

export type HttpAppOptions = GateOptions & {
  readonly routes: readonly Route[];
  readonly log: Logger;
  readonly bodyLimitBytes: number;
  readonly knownProxies: readonly string[];
  /** Mount path of the host. The URLs that arrive here do not contain it. Default: none. */
  readonly basePath?: string;
  /** True while no administrator exists. All routes except the open ones then redirect to the setup page. */
  readonly isSetupOpen: () => boolean | Promise<boolean>;
  readonly errorMapping?: ErrorMapping;
  /** Executes the work of a state-changing request. Jobs that it starts belong to the request. */
  readonly inCourseOf?: InCourseOf;
  /** Enables late reads of routes. Default: all routes read from the primary. */
  readonly lateReads?: LateReading | undefined;
  /** Stores requests with an `Idempotency-Key`. Default: the header is ignored. */
  readonly idempotency?: IdempotencyStore | undefined;
  /** Measures requests. Default: no measurement. */
  readonly telemetry?: Telemetry | undefined;
  /** Called for each refusal of an identified caller, for the audit. */
  readonly onDenied?: (request: FastifyRequest, refusal: HttpProblem) => void;
  /** Additional routes that are no endpoints: pages, hub, discovery documents. They implement their own gates. */
  readonly plugins?: readonly ((app: FastifyInstance, gates: Pick<HttpAppOptions, 'isSetupOpen'>) => void)[];
};

const maxParamLength = 200;
const requestTimeoutMs = 120_000;
/** `Retry-After` in seconds for a 429 of the host without one. */
const retryAfterSecondsDefault = '5';

/** Builds the Fastify instance: gates first, then the routes. It does not listen. */
export async function createHttpApp(options: HttpAppOptions): Promise<FastifyInstance> {
  const originOf = clientOriginOf(options.knownProxies);
  const { basePath = '' } = options;
  const app = fastify({
    bodyLimit: options.bodyLimitBytes,
    routerOptions: {
      maxParamLength,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
    },
    exposeHeadRoutes: true,
    requestTimeout: requestTimeoutMs,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) =>
      void sendRefusal(error, request as FastifyRequest, reply as unknown as FastifyReply),
  });
  app.setValidatorCompiler(validatorCompiler as never);
  app.setSerializerCompiler(serializerCompiler as never);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, jsonParser);

  const sendRefusal = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { refusal, unexpected } = toRefusal(error, options.errorMapping);
    const traceId = request.svc?.traceId ?? newTraceId();
    if (unexpected !== undefined)
      options.log.error({ err: unexpected, traceId, route: request.routeOptions?.url }, 'request failed');
    if (refusal.status === 403 || refusal.status === 401) options.onDenied?.(request, refusal);
    // A stream that fails half-way can no longer become a problem response.
    if (reply.raw.headersSent) {
      cutReply(reply.raw);
      return reply;
    }
    setApiHeaders(reply, request.svc?.origin.isSecure ?? false);
    if (refusal.status === 429) reply.header('retry-after', retryAfterSecondsDefault);
    reply.headers(refusal.headers).code(refusal.status);
    const hostBody = request.routeOptions?.config?.gate?.bodyOf?.(refusal);
    if (hostBody !== undefined)
      return reply.type('application/json').serializer(JSON.stringify).send(hostBody);
    reply.type('application/problem+json');
    return reply.serializer(JSON.stringify).send(toProblem(refusal, { traceId, basePath }));
  };

  const patterns = options.routes.map(({ endpoint }) => ({
    method: endpoint.method,
    pattern: patternOf(endpoint.path),
  }));
  app.decorateRequest('svc', null as unknown as RequestFacts);
  const measuring = options.telemetry && addRequestTelemetry(app, options.telemetry);
  app.addHook('onRequest', (request, reply, done) => {
    const sent = sentSpanOf(request);
    const origin = originOf(request.raw);
    request.svc = { caller: anonymousCaller, origin, traceId: sent?.traceId ?? '', basePath };
    const begun = measuring?.begin(request, sent);
    if (begun) request.svc.measured = begun.measured;
    request.svc.traceId = begun?.traceId ?? sent?.traceId ?? newTraceId();
    reply.header('trace-id', request.svc.traceId);
    done(refuseRepeatedHeaders(request.raw) ?? refuseTakenBody(request.raw));
  });
  if (basePath !== '') {
    app.addHook('onSend', (request, reply, _payload, done) => {
      moveLocation(request, reply);
      done();
    });
  }
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Runs before Fastify ends the response, which some clients would read as its regular end.
    if (payload instanceof Readable)
      payload.once('error', () => reply.raw.headersSent && cutReply(reply.raw));
    done();
  });
  app.setErrorHandler(async (error, request, reply) => {
    // A caller without access gets that refusal, not the faults of the input.
    const refused = await lateRefusal(request);
    return sendRefusal(refused ?? error, request, reply);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (await options.isSetupOpen()) return sendToSetup(reply);
    return sendRefusal(unmatched(patterns, request), request, reply);
  });
  await app.register(cookies);
  const knownCallers = createKnownCallers();
  for (const route of options.routes)
    await bindInScope(app, route, { ...options, known: knownCallers, measuring });
  for (const plugin of options.plugins ?? []) plugin(app, options);
  await app.ready();
  return app;
}

const sendToSetup = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').redirect('/svc/setup', 302);

type RoutePattern = { readonly method: string; readonly pattern: RegExp };

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Returns a 405 if the path exists with other methods, else a 404. */
function unmatched(patterns: readonly RoutePattern[], request: FastifyRequest): Refusal {
  const path = request.url.split('?')[0] ?? '/';
  const allowed = [
    ...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ];
  if (allowed.length === 0)
    return new Refusal('not-found', {
      detail: 'There is nothing at this path. The paths that there are: /openapi/v1.json.',
    });
  const allow = allowed.includes('GET') ? ['HEAD', ...allowed] : allowed;
  return new Refusal('method-not-allowed', {
    detail: `This path takes ${allow.join(', ')}.`,
    headers: { allow: allow.join(', ') },
  });
}

type BindOptions = HttpAppOptions & {
  readonly known: KnownCallers;
  readonly measuring: RequestTelemetry | undefined;
};

/** Binds a route. A route that takes bytes gets its own scope without body parsers. */
async function bindInScope(app: FastifyInstance, route: Route, options: BindOptions): Promise<void> {
  const { bodyBytesMax } = route;
  if (bodyBytesMax === undefined) return bind(app, route, options);
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const { takesFile } = route.endpoint;
    const accepted = takesFile ? 'application/octet-stream' : '*';
    scope.addContentTypeParser(
      accepted,
      { parseAs: 'buffer', bodyLimit: bodyBytesMax },
      (_request, body, done) => done(null, body),
    );
    // Refuses content types that the OpenAPI document does not declare, before the body is read.
    if (takesFile)
      scope.addContentTypeParser('*', (_request, _body, done) => done(new Refusal('bytes-required')));
    bind(scope, route, options);
    done();
  });
}

function bind(app: FastifyInstance, route: Route, options: BindOptions): void {
  const { endpoint } = route;
  // In ascending order: a redirect is the default status only if no lower success status exists.
  const successes = Object.entries(endpoint.responses).filter(([status]) => Number(status) < 400);
  const [success] = successes;
  if (!endpoint.access) throw new Error(`The route ${endpoint.method} ${endpoint.path} has no access entry.`);
  if (!success) throw new Error(`The route ${endpoint.method} ${endpoint.path} declares no success answer.`);
  const status = Number(success[0]);
  const bodies = successes.filter(([_, answer]) => answer !== null && !isBinary(answer));
  const { admit, serve } = besideGates(options.known, route, {
    gates: gatesOf(route, options),
    handle: measuredHandler(
      options.measuring,
      withLateReads(options.lateReads, route, handlerOf(route, options.inCourseOf)),
    ),
  });
  const isList = isPagedList(endpoint);
  const isOpenBeforeSetup = endpoint.access.isOpenBeforeSetup;
  const work = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const result = await serve(request, reply);
    if (result !== answered && reply.statusCode === 200) reply.code(status);
    return result;
  };
  const once = takesIdempotencyKey(endpoint) ? options.idempotency : undefined;
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { gate: route.gate },
    schema: {
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: closed(endpoint.body) }),
      ...(bodies.length > 0 && { response: Object.fromEntries(bodies) }),
    },
    // Runs before the body is read.
    onRequest: async (request, reply) => {
      if (!isOpenBeforeSetup && (await options.isSetupOpen())) return sendToSetup(reply);
      await admit(request);
      setApiHeaders(reply, request.svc.origin.isSecure);
      return undefined;
    },
    // An endpoint with its own gate answers in its own protocol, also for invalid input.
    ...(route.gate ? {} : { preValidation: async (request) => refuseUnstorableInput(request) }),
    handler: async (request, reply) => {
      if (once)
        return serveOnce(once, request, reply, { work: () => work(request, reply), log: options.log });
      const result = await work(request, reply);
      if (result === answered) return reply;
      if (isList) setPageLinks(request, reply, result as Page<unknown>);
      return status === 204 ? reply.send() : reply.send(result);
    },
  });
}

type Handle = (...context: ConstructorParameters<typeof HandlerContext>) => Promise<unknown>;

/**
 * Runs the handlers of state-changing routes in the context of their request. Reads start no jobs, and an endpoint
 * with its own gate sets its own context.
 */
function handlerOf(route: Route, inCourseOf: InCourseOf | undefined): Handle {
  const handle: Handle = async (...context) => route.handle(new HandlerContext(...context));
  const { method, path } = route.endpoint;
  if (!inCourseOf || method === 'GET' || route.gate) return handle;
  return (caller, early, request, reply) => {
    const { traceId, measured } = request.svc;
    const spanId = measured && recordedSpan(measured.span)?.spanId;
    return inCourseOf({ method, route: path, caller, traceId, ...(spanId !== undefined && { spanId }) }, () =>
      handle(caller, early, request, reply),
    );
  };
}

/**
 * Returns the identity of a reader or writer, across processes and credentials; undefined for a caller without a
 * name.
 */
const writerOf = ({ userId, hostUserId }: Caller): string | undefined =>
  userId !== null ? `user ${userId}` : hostUserId === undefined ? undefined : `host ${hostUserId}`;

const asksForFresh = (request: FastifyRequest): boolean =>
  /\bno-cache\b/i.test(request.headers['cache-control'] ?? '');

/**
 * Enables late reads for routes that declare them. Notes each writing caller, so that the caller sees the change in
 * later reads.
 */
function withLateReads(lateReads: LateReading | undefined, { endpoint }: Route, handle: Handle): Handle {
  if (!lateReads) return handle;
  if (endpoint.readsLate)
    return (caller, early, request, reply) => {
      const read = () => handle(caller, early, request, reply);
      const reader = writerOf(caller);
      return reader === undefined || asksForFresh(request) ? read() : lateReads.read(reader, read);
    };
  if (endpoint.method === 'GET') return handle;
  return async (caller, early, request, reply) => {
    try {
      return await handle(caller, early, request, reply);
    } finally {
      const writer = writerOf(caller);
      if (writer !== undefined) await lateReads.noteWrite(writer);
    }
  };
}

/** Runs a handler in the span of its request. */
const measuredHandler = (measuring: RequestTelemetry | undefined, handle: Handle): Handle =>
  measuring
    ? (caller, early, request, reply) =>
        measuring.within(request, () => handle(caller, early, request, reply))
    : handle;

const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

// Node draws random UUIDs from cached random bytes, in a fourth of the time of new ones.
const newTraceId = (): string => randomUUID().replaceAll('-', '');

/** Returns the caller's span from W3C `traceparent`, if it is present and valid. */
function sentSpanOf(request: FastifyRequest): RemoteSpan | undefined {
  const header = request.headers['traceparent'];
  const [, traceId, spanId, flags] = typeof header === 'string' ? (traceparent.exec(header) ?? []) : [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
