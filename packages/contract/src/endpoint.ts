import type { Static, TSchema } from 'typebox';
import type { Access } from './access.ts';
import type { DefinitionKind } from './definition-kinds.ts';
import type { RateLimitPolicy } from './rate-limits.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A body that is not JSON: a file or a stream. */
export type BinaryResponse = { readonly contentType: string; readonly description: string };

/** Status → schema of the body; `null` where there is none. Refusals need no entry: they are all problems. */
export type Responses = { readonly [status: number]: TSchema | BinaryResponse | null };

/** A header of some endpoints' answers of success that nothing else of their declaration tells. */
export type AnswerHeader =
  | 'ETag'
  | 'Location'
  | 'Content-Disposition'
  | 'Set-Cookie'
  | 'Clear-Site-Data'
  | 'Access-Control-Allow-Origin';

/** Declaration of one route. The server binds a handler to it, the UI calls it, OpenAPI describes it. */
export type Endpoint<
  Params extends TSchema | undefined = TSchema | undefined,
  Query extends TSchema | undefined = TSchema | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  R extends Responses = Responses,
> = {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly method: HttpMethod;
  /** Path from the service's root, e.g. `/svc/api/projects/{id}`. */
  readonly path: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body is the bytes of a file, and no JSON. */
  readonly takesFile?: true;
  readonly responses: R;
  readonly access: Access;
  /**
   * The answer may be up to 5 s late, and comes from a read replica where there is one: a GET that changes nothing and
   * whose caller has changed nothing a moment ago.
   */
  readonly readsLate?: true;
  /** Changes what the file of such a record says: refused while the record is managed from files. */
  readonly edits?: DefinitionKind;
  /** Told in the headers `RateLimit-Policy` and `RateLimit`, and by 429 with `Retry-After`. */
  readonly rateLimit?: RateLimitPolicy;
  /** The answer holds a secret that is told this once: it is not kept, so that the endpoint takes no Idempotency-Key. */
  readonly tellsSecretOnce?: true;
  /** Starts work with effects of its own, and takes an Idempotency-Key as endpoints that create something do. */
  readonly startsWork?: true;
  /** Headers of its answers of success, beside those that follow from the rest of its declaration. */
  readonly sends?: readonly AnswerHeader[];
  /** Statuses of refusals beyond the usual ones, with what they mean here; for the documentation. */
  readonly refusals?: Readonly<Record<number, string>>;
};

/** Declares a route. */
export function defineEndpoint<
  const R extends Responses,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(endpoint: Endpoint<Params, Query, Body, R>): Endpoint<Params, Query, Body, R> {
  return endpoint;
}

/** True for an endpoint that creates something or starts work for a caller with a name, and may tell its answer twice. */
export const takesIdempotencyKey = (endpoint: Endpoint): boolean =>
  endpoint.method === 'POST' &&
  (Object.hasOwn(endpoint.responses, 201) || endpoint.startsWork === true) &&
  endpoint.tellsSecretOnce !== true &&
  !endpoint.access.callers.includes('anonymous');

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _R> ? StaticOf<P> : never;
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _R> ? StaticOf<Q> : never;
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _R> ? StaticOf<B> : never;

type SuccessStatus = 200 | 201 | 202 | 204;
type ResponseBody<S> = S extends TSchema ? Static<S> : S extends null ? undefined : never;

/** The body of the success answer; `undefined` for 204. */
export type AnswerOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R>
    ? { [K in keyof R]: K extends SuccessStatus ? ResponseBody<R[K]> : never }[keyof R]
    : never;

export const isBinary = (response: TSchema | BinaryResponse | null): response is BinaryResponse =>
  response !== null && 'contentType' in response && 'description' in response;
