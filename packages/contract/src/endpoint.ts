import type { Static, TSchema } from 'typebox';
import type { Access } from './access.ts';
import type { DefinitionKind } from './definition-kinds.ts';
import type { RateLimitPolicy } from './rate-limits.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A body that is not JSON: a file or a stream. */
export type BinaryResponse = { readonly contentType: string; readonly description: string };

/** Status → schema of the body; `null` for an empty body. Refusals need no entry: they are all problems. */
export type Responses = { readonly [status: number]: TSchema | BinaryResponse | null };

/** A header of some success responses that does not follow from the rest of the endpoint's declaration. */
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
  /** The body is the bytes of a file, not JSON. */
  readonly takesFile?: true;
  readonly responses: R;
  readonly access: Access;
  /**
   * The response may be up to 5 s out of date and comes from a read replica if one exists. Only for a GET that changes
   * nothing, and only if the caller made no recent change.
   */
  readonly readsLate?: true;
  /** Kind of record whose file content the endpoint changes. The service refuses it while files manage the record. */
  readonly edits?: DefinitionKind;
  /** Limit that the headers `RateLimit-Policy` and `RateLimit` report; a refusal is 429 with `Retry-After`. */
  readonly rateLimit?: RateLimitPolicy;
  /**
   * The response contains a secret that is returned only once. It is not stored, so the endpoint accepts no
   * Idempotency-Key.
   */
  readonly tellsSecretOnce?: true;
  /** The endpoint starts work with side effects. It accepts an Idempotency-Key, like endpoints that create a record. */
  readonly startsWork?: true;
  /** Headers of its success responses that do not follow from the rest of its declaration. */
  readonly sends?: readonly AnswerHeader[];
  /** Additional refusal statuses with their meaning for this endpoint, for the documentation. */
  readonly refusals?: Readonly<Record<number, string>>;
};

export function defineEndpoint<
  const R extends Responses,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(endpoint: Endpoint<Params, Query, Body, R>): Endpoint<Params, Query, Body, R> {
  return endpoint;
}

/**
 * Returns true for an endpoint that creates a record or starts work for an identified caller and may repeat its
 * response.
 */
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

/** Body of the success response; `undefined` for 204. */
export type AnswerOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R>
    ? { [K in keyof R]: K extends SuccessStatus ? ResponseBody<R[K]> : never }[keyof R]
    : never;

export const isBinary = (response: TSchema | BinaryResponse | null): response is BinaryResponse =>
  response !== null && 'contentType' in response && 'description' in response;
