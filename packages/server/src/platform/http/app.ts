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

/** What the request gates know of each request. Kept beside it, never on a prototype. */
export type RequestFacts = {
  caller: Caller;
  origin: ClientOrigin;
  traceId: string;
  basePath: string;
  /** Set while a route that only reads has begun before its caller was confirmed. */
  speculation?: Speculation;
  /** Set where requests are measured, until its end. */
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

/** A request that changes something, as it is known when its handler begins. */
export type ChangingRequest = {
  readonly method: string;
  /** As it is declared: `/svc/api/subscriptions/{id}/test-run`. */
  readonly route: string;
  readonly caller: Caller;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Span of the request where it is recorded, 16 hexadecimal digits. */
  readonly spanId?: string;
};
export type InCourseOf = (request: ChangingRequest, work: () => Promise<unknown>) => Promise<unknown>;

/** Where routes that read late read from. */
export type LateReading = {
  readonly read: <T>(caller: string, read: () => Promise<T>) => Promise<T>;
  /** Told before a change of the caller is answered. */
  readonly noteWrite: (caller: string) => Promise<void>;
};

export type HttpAppOptions = GateOptions & {
  readonly routes: readonly Route[];
  readonly log: Logger;
  readonly bodyLimitBytes: number;
  readonly knownProxies: readonly string[];
  /** Path below which the host mounts the service; it is not in the URLs that arrive here. Default: none. */
  readonly basePath?: string;
  /** True while no administrator exists: everything but the open routes is sent to the setup page. */
  readonly isSetupOpen: () => boolean | Promise<boolean>;
  readonly errorMapping?: ErrorMapping;
  /** Does the work of a request that changes something: what it starts belongs to the request. */
  readonly inCourseOf?: InCourseOf;
  /** Lets routes that read late do so. Default: they read as all others. */
  readonly lateReads?: LateReading | undefined;
  /** Remembers requests with an `Idempotency-Key`. Default: the header is passed over. */
  readonly idempotency?: IdempotencyStore | undefined;
  /** Measures requests. Default: they are not. */
  readonly telemetry?: Telemetry | undefined;
  /** Called for each refusal of an identified caller, for the audit. */
  readonly onDenied?: (request: FastifyRequest, refusal: HttpProblem) => void;
  /** More routes that are no endpoints: pages, hub, discovery documents. They answer for themselves. */
  readonly plugins?: readonly ((app: FastifyInstance, gates: Pick<HttpAppOptions, 'isSetupOpen'>) => void)[];
};

const maxParamLength = 200;
const requestTimeoutMs = 120_000;
/** For a 429 of the host that does not say when to come back. */
const retryAfterSecondsDefault = '5';

/** Builds the Fastify instance: gates first, then the routes. It listens nowhere by itself. */
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
    // A stream that fails half-way cannot become a problem any more.
    if (reply.raw.headersSent) {
      cutReply(reply.raw);
      return reply;
    }
    setApiHeaders(reply, request.svc?.origin.isSecure ?? false);
    if (refusal.status === 429) reply.header('retry-after', retryAfterSecondsDefault);
    reply.headers(refusal.headers).code(refusal.status);
    const own = request.routeOptions?.config?.gate?.bodyOf?.(refusal);
    if (own !== undefined) return reply.type('application/json').serializer(JSON.stringify).send(own);
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
    // Before Fastify ends the response by itself, which some clients take for its end.
    if (payload instanceof Readable)
      payload.once('error', () => reply.raw.headersSent && cutReply(reply.raw));
    done();
  });
  app.setErrorHandler(async (error, request, reply) => {
    // Who may not call is told so, and not what is wrong with what they sent.
    const refused = await lateRefusal(request);
    return sendRefusal(refused ?? error, request, reply);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (await options.isSetupOpen()) return sendToSetup(reply);
    return sendRefusal(unmatched(patterns, request), request, reply);
  });
  await app.register(cookies);
  const known = createKnownCallers();
  for (const route of options.routes) await bindInScope(app, route, { ...options, known, measuring });
  for (const plugin of options.plugins ?? []) plugin(app, options);
  await app.ready();
  return app;
}

const sendToSetup = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').redirect('/svc/setup', 302);

type RoutePattern = { readonly method: string; readonly pattern: RegExp };

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** 405 where the path exists with other methods, else 404. */
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

/** A route that takes bytes has a scope of its own, where no body is parsed. */
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
    // What the OpenAPI document does not declare is refused before the body is read.
    if (takesFile)
      scope.addContentTypeParser('*', (_request, _body, done) => done(new Refusal('bytes-required')));
    bind(scope, route, options);
    done();
  });
}

function bind(app: FastifyInstance, route: Route, options: BindOptions): void {
  const { endpoint } = route;
  // In ascending order: a redirect is what is answered only where nothing below it is.
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
    // Before the body is read.
    onRequest: async (request, reply) => {
      if (!isOpenBeforeSetup && (await options.isSetupOpen())) return sendToSetup(reply);
      await admit(request);
      setApiHeaders(reply, request.svc.origin.isSecure);
      return undefined;
    },
    // An endpoint with a gate of its own answers in a protocol of its own, bad input included.
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

/** Reads start nothing, and an endpoint with a gate of its own says by itself what it belongs to. */
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

/** Who reads and writes, in whatever process and by whatever credential; undefined for those who have no name. */
const writerOf = ({ userId, hostUserId }: Caller): string | undefined =>
  userId !== null ? `user ${userId}` : hostUserId === undefined ? undefined : `host ${hostUserId}`;

const asksForFresh = (request: FastifyRequest): boolean =>
  /\bno-cache\b/i.test(request.headers['cache-control'] ?? '');

/** Routes that say so read late; who changes something is noted, so that they see it in what they read next. */
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

/** What a handler does belongs to the span of its request. */
const measuredHandler = (measuring: RequestTelemetry | undefined, handle: Handle): Handle =>
  measuring
    ? (caller, early, request, reply) =>
        measuring.within(request, () => handle(caller, early, request, reply))
    : handle;

const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

// A random UUID is drawn from bytes that Node keeps ready: a fourth of the time of asking for them.
const newTraceId = (): string => randomUUID().replaceAll('-', '');

/** The caller's span when it sends one by W3C `traceparent`. */
function sentSpanOf(request: FastifyRequest): RemoteSpan | undefined {
  const header = request.headers['traceparent'];
  const [, traceId, spanId, flags] = typeof header === 'string' ? (traceparent.exec(header) ?? []) : [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
