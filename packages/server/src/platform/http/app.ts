import { Readable } from 'node:stream';
import cookies from '@fastify/cookie';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { anonymousCaller, type Caller } from '../access/caller.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { moveLocation } from './base-path.ts';
import { bindRoute, sendToSetup } from './binding/bind-route.ts';
import { type ClientOrigin, clientOriginOf } from './connection/client-address.ts';
import type { GateOptions } from './gates.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import { jsonParser } from './input/json-body.ts';
import { refuseRepeatedHeaders } from './input/repeated-headers.ts';
import { refuseTakenBody } from './input/taken-body.ts';
import { serializerCompiler, validatorCompiler } from './input/validation.ts';
import { cutReply } from './refusals/cut-reply.ts';
import type { HttpProblem } from './refusals/http-problem.ts';
import type { ErrorMapping } from './refusals/problems.ts';
import { sendRefusal } from './refusals/send-refusal.ts';
import { patternOfEndpoint, unmatched } from './refusals/unmatched.ts';
import { addRequestTelemetry, type MeasuredRequest, type RequestTelemetry } from './request-telemetry.ts';
import type { Route, RouteGate } from './route.ts';
import { lateRefusal } from './speculation/beside-gates.ts';
import { createKnownCallers } from './speculation/known-callers.ts';
import type { Speculation } from './speculation/speculation.ts';
import { newTraceId, sentSpanOf } from './trace-context.ts';

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

/** Gives each request its facts and its trace id, before any other hook. */
function addRequestFacts(
  app: FastifyInstance,
  { knownProxies, basePath = '' }: Pick<HttpAppOptions, 'knownProxies' | 'basePath'>,
  measuring: RequestTelemetry | undefined,
): void {
  app.decorateRequest('svc', null as unknown as RequestFacts);
  const originOf = clientOriginOf(knownProxies);
  app.addHook('onRequest', (request, reply, done) => {
    const remoteSpan = sentSpanOf(request);
    const origin = originOf(request.raw);
    request.svc = { caller: anonymousCaller, origin, traceId: remoteSpan?.traceId ?? '', basePath };
    const measurement = measuring?.begin(request, remoteSpan);
    if (measurement) request.svc.measured = measurement.measured;
    request.svc.traceId = measurement?.traceId ?? remoteSpan?.traceId ?? newTraceId();
    reply.header('trace-id', request.svc.traceId);
    done(refuseRepeatedHeaders(request.raw) ?? refuseTakenBody(request.raw));
  });
}

/** Builds the Fastify instance: gates first, then the routes. It does not listen. */
export async function createHttpApp(options: HttpAppOptions): Promise<FastifyInstance> {
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
      void sendRefusal(options, error, request as FastifyRequest, reply as unknown as FastifyReply),
  });
  app.setValidatorCompiler(validatorCompiler as never);
  app.setSerializerCompiler(serializerCompiler as never);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, jsonParser);

  const patterns = options.routes.map(({ endpoint }) => patternOfEndpoint(endpoint));
  const measuring = options.telemetry && addRequestTelemetry(app, options.telemetry);
  addRequestFacts(app, options, measuring);
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
    const accessRefusal = await lateRefusal(request);
    return sendRefusal(options, accessRefusal ?? error, request, reply);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (await options.isSetupOpen()) return sendToSetup(reply);
    return sendRefusal(options, unmatched(patterns, request), request, reply);
  });
  await app.register(cookies);
  const knownCallers = createKnownCallers();
  for (const route of options.routes) await bindRoute(app, route, { ...options, knownCallers, measuring });
  for (const plugin of options.plugins ?? []) plugin(app, options);
  await app.ready();
  return app;
}
