import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { HttpProblem } from './refusals/http-problem.ts';

/** Handler argument. All of it has been authenticated, authorized and validated. */
export type RouteContext<E> = {
  readonly caller: Caller;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Aborted when the client disconnects before the response. */
  readonly signal: AbortSignal;
  readonly clientAddress: string;
  readonly traceId: string;
  readonly request: FastifyRequest;
  /** For headers, cookies, and streamed responses. */
  readonly reply: FastifyReply;
  /** Result of `Route.readEarly` for this caller. It may reject. */
  readonly early?: Promise<unknown> | undefined;
};

/** Return value of a handler that sent its response itself, by `reply`: a stream, a redirect. */
export const answered = Symbol('answered');

/** Gate of an endpoint whose callers authenticate differently from those of the REST API. */
export type RouteGate = {
  /** Replaces the ordinary authentication. Throws a refusal for a request that may not even try to authenticate. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Maps a refusal of the gates, for example to add a challenge. */
  readonly refuse: (refusal: HttpProblem, request: FastifyRequest) => HttpProblem;
  /** Returns the body in the endpoint's own protocol; undefined for an ordinary problem. */
  readonly bodyOf?: (refusal: HttpProblem) => object | undefined;
};

/** A declared endpoint with its handler. */
export type Route = {
  readonly endpoint: Endpoint;
  readonly gate?: RouteGate;
  // Endpoints differ in their types. `route` below is the only constructor and ensures that each pair is
  // consistent.
  readonly handle: (context: RouteContext<never>) => unknown;
  /** Set if the body is taken as raw bytes, regardless of its content type. The value is the maximum size. */
  readonly bodyBytesMax?: number;
  /**
   * True if the handler may begin before the confirmation of its caller, and may run again for a different one. It
   * only reads, depends only on `caller`, and does not use `request` and `reply`.
   */
  readonly beginsEarly?: boolean;
  /**
   * Reads data before the confirmation of the caller. The handler gets it as `context.early` if the confirmed
   * caller is the same. Otherwise it is discarded.
   */
  readonly readEarly?: (context: EarlyContext) => Promise<unknown> | undefined;
};

/** Read-only view of a request before the confirmation of its caller. */
export type EarlyContext = {
  readonly caller: Caller;
  readonly request: Pick<FastifyRequest, 'headers' | 'body'>;
};

/**
 * Binds a handler to an endpoint: read, call one service function, present. The result is the body of the
 * endpoint's first success status, or of the status that the handler set. A handler that sent its response returns
 * `answered`.
 */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (context: RouteContext<E>) => Promise<AnswerOf<E> | typeof answered>,
  gate?: RouteGate,
): Route {
  return {
    endpoint: endpoint as unknown as Endpoint,
    handle: handle as Route['handle'],
    ...(gate && { gate }),
  };
}

/** Binds a handler that only reads for `caller`: see `Route.beginsEarly`. */
export function readRoute<E extends Endpoint>(
  endpoint: E,
  handle: (context: Pick<RouteContext<E>, 'caller' | 'params' | 'query' | 'signal'>) => Promise<AnswerOf<E>>,
): Route {
  return { ...route(endpoint, handle), beginsEarly: true };
}

/** Binds a handler to an endpoint whose body is not JSON. The bytes are in `request.body`. */
export function bytesRoute<E extends Endpoint>(
  endpoint: E,
  bodyBytesMax: number,
  handle: (context: RouteContext<E>) => Promise<AnswerOf<E> | typeof answered>,
): Route {
  return { ...route(endpoint, handle), bodyBytesMax };
}
