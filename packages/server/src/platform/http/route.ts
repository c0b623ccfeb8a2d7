import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { HttpProblem } from './refusals/http-problem.ts';

/** What a handler is given. Everything in it has been authenticated, judged and validated. */
export type RouteContext<E> = {
  readonly caller: Caller;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Aborted when the client goes away before it was answered. */
  readonly signal: AbortSignal;
  readonly clientAddress: string;
  readonly traceId: string;
  readonly request: FastifyRequest;
  /** For headers, cookies, and answers that are streams. */
  readonly reply: FastifyReply;
  /** What `Route.readEarly` has begun for this very caller; it may reject. */
  readonly early?: Promise<unknown> | undefined;
};

/** What a handler returns when it has sent its answer itself, by `reply`: a stream, a redirect. */
export const answered = Symbol('answered');

/** For an endpoint whose callers say who they are in another way than those of the REST API. */
export type RouteGate = {
  /** Who calls, in place of the ordinary ways. Throws a refusal for a request that may not even be asked about. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** What a refusal of the gates is answered as, e.g. with a challenge of its own. */
  readonly refuse: (refusal: HttpProblem, request: FastifyRequest) => HttpProblem;
  /** What is answered in place of a problem, for a refusal that the endpoint's protocol has a form of its own for. */
  readonly bodyOf?: (refusal: HttpProblem) => object | undefined;
};

/** A declared endpoint with what it does. */
export type Route = {
  readonly endpoint: Endpoint;
  readonly gate?: RouteGate;
  // Endpoints differ in their types; `route` below is the only way in and keeps each pair consistent.
  readonly handle: (context: RouteContext<never>) => unknown;
  /** Set where the body is taken as the bytes that were sent, whatever they say they are, up to so many. */
  readonly bodyBytesMax?: number;
  /**
   * The handler may begin while its caller is still being confirmed, and may have to do its work again for another
   * one: it only reads, looks at nobody but `caller`, and leaves `request` and `reply` alone.
   */
  readonly beginsEarly?: boolean;
  /**
   * What may be read for a request before its caller is confirmed. The handler finds it as `context.early`, once the
   * caller is confirmed to be the same; else it is thrown away.
   */
  readonly readEarly?: (context: EarlyContext) => Promise<unknown> | undefined;
};

/** What is known of a request whose caller is still being confirmed. Nothing of it may be changed. */
export type EarlyContext = {
  readonly caller: Caller;
  readonly request: Pick<FastifyRequest, 'headers' | 'body'>;
};

/**
 * Binds a handler to an endpoint: read, call one service function, present. The answer is the body of the
 * endpoint's first success status, of another one that the handler set, or `answered` when it sent one by itself.
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

/** Binds a handler to an endpoint whose body is no JSON: it finds the bytes as `request.body`. */
export function bytesRoute<E extends Endpoint>(
  endpoint: E,
  bodyBytesMax: number,
  handle: (context: RouteContext<E>) => Promise<AnswerOf<E> | typeof answered>,
): Route {
  return { ...route(endpoint, handle), bodyBytesMax };
}
