import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Job } from '../client/declare.ts';
import type { EnqueueOptions } from '../client/enqueue.ts';

/** HTTP methods of endpoints. */
export const endpointMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type EndpointMethod = (typeof endpointMethods)[number];

/** Request as passed to an endpoint's handler. */
export type EndpointRequest<T> = {
  /**
   * Parsed input. Its source is the JSON body of POST, PUT and PATCH, otherwise the query parameters and path values.
   * Path values override query parameters; of a repeated query parameter the last counts. `bind` replaces this source.
   */
  readonly input: T;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Trace id as a uuid. Jobs that the handler enqueues carry it. */
  readonly traceId: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly raw: IncomingMessage;
};

/** Request before its input is parsed. */
export type UnparsedRequest = Omit<EndpointRequest<unknown>, 'input'> & { readonly body: unknown };

/** JSON schema for the document that describes the endpoint. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type EndpointBase<T> = {
  readonly method: EndpointMethod;
  /** Path template: `/orders/{id:int}`. */
  readonly route: string;
  /** Operation name, for lists and documents. Default none. */
  readonly operation?: string;
  /** Group of the endpoint. Endpoints are mapped per group. Default: no group. */
  readonly group?: string;
  /** Validates the input and returns it typed. An error is reported to the client with 400. */
  readonly parse: (value: unknown) => T;
  /** Returns the value for `parse`, for input that is not simply the body or the query. */
  readonly bind?: (request: UnparsedRequest) => unknown;
  /**
   * JSON schemas of the input and the response body, only for the OpenAPI document. `parse` and `present` do the
   * validation.
   */
  readonly schemas?: { readonly input?: JsonSchema; readonly output?: JsonSchema };
  /** Summary for the OpenAPI document, one sentence. */
  readonly summary?: string;
};

/**
 * Endpoint that sends its handler's result. A value is sent as JSON with 200; undefined or null yields 204. An
 * `answer(...)` is sent with its status and headers. An async iterable is sent as server-sent events.
 */
export type AnsweringEndpoint<T> = EndpointBase<T> & {
  readonly mode: 'Answer';
  readonly handler: (request: EndpointRequest<T>) => unknown;
  /** Validates or reduces the handler's result before it is sent. An error is an endpoint failure (500). */
  readonly present?: (value: unknown) => unknown;
};

/**
 * Endpoint that enqueues a job and responds with 202 and `{ jobId, statusUrl }`. The status URL is also the `location`
 * header.
 */
export type EnqueueingEndpoint<T> = Omit<EndpointBase<T>, 'parse'> & {
  readonly mode: 'Enqueue';
  readonly job: Job<T>;
  readonly options?: (request: EndpointRequest<T>) => EnqueueOptions;
};

/** Endpoint without its input type. */
export type EndpointDeclaration = AnsweringEndpoint<unknown> | EnqueueingEndpoint<unknown>;

/** Declares an endpoint that sends its handler's result. */
export function answeringEndpoint<T>(endpoint: Omit<AnsweringEndpoint<T>, 'mode'>): EndpointDeclaration {
  const { handler, ...rest } = endpoint;
  return { ...rest, mode: 'Answer', handler: (request) => handler(request as EndpointRequest<T>) };
}

/** Declares an endpoint that enqueues a job. */
export function enqueueingEndpoint<T>(endpoint: Omit<EnqueueingEndpoint<T>, 'mode'>): EndpointDeclaration {
  const { job, options, ...rest } = endpoint;
  return {
    ...rest,
    mode: 'Enqueue',
    job: job as Job<unknown>,
    ...(options && {
      options: (request: EndpointRequest<unknown>) => options(request as EndpointRequest<T>),
    }),
  };
}

const answerMark = Symbol('answer');

/** Response with an explicit status and headers. */
export type EndpointAnswer = {
  readonly [answerMark]: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Creates a response with an explicit status and headers, such as 201 with `location`. */
export function answer(
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): EndpointAnswer {
  return { [answerMark]: true, status, body, headers };
}

/** Returns true for a value created by `answer`. */
export function isAnswer(value: unknown): value is EndpointAnswer {
  return typeof value === 'object' && value !== null && answerMark in value;
}

/** Refusal of a request. The client receives the status and the message. */
export class EndpointRefusal extends Error {
  override readonly name = 'EndpointRefusal';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
