import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Job } from '../client/declare.ts';
import type { EnqueueOptions } from '../client/enqueue.ts';

/** Verbs that an endpoint may have. */
export const endpointMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type EndpointMethod = (typeof endpointMethods)[number];

/** A request as an endpoint's handler gets it. */
export type EndpointRequest<T> = {
  /**
   * What the endpoint takes, parsed: the JSON body of POST, PUT and PATCH, otherwise the query and the template's
   * values together, of which the template's win, and of a repeated query parameter the last; or what `bind` made.
   */
  readonly input: T;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Trace id as a uuid: jobs that are enqueued in the handler carry it. */
  readonly traceId: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly raw: IncomingMessage;
};

/** What a request holds before it is parsed. */
export type UnparsedRequest = Omit<EndpointRequest<unknown>, 'input'> & { readonly body: unknown };

/** A JSON schema, for the document that describes the endpoint. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type EndpointBase<T> = {
  readonly method: EndpointMethod;
  /** Template of the path: `/orders/{id:int}`. */
  readonly route: string;
  /** Name of the operation, for lists and documents. Default none. */
  readonly operation?: string;
  /** Endpoints are mapped group by group; without one it belongs to none. */
  readonly group?: string;
  /** Checks what came in and gives it its type; throws on what it does not accept, which is answered with 400. */
  readonly parse: (value: unknown) => T;
  /** Puts together what `parse` gets, where body or query alone is not it. */
  readonly bind?: (request: UnparsedRequest) => unknown;
  /** What the OpenAPI document says of the input and of the answer's body. `parse` and `present` are what checks them. */
  readonly schemas?: { readonly input?: JsonSchema; readonly output?: JsonSchema };
  /** One sentence for the OpenAPI document. */
  readonly summary?: string;
};

/**
 * An endpoint whose handler's answer is sent: a value as JSON with 200, undefined or null with 204, an `answer(...)`
 * with its own status and headers, an async iterable as server-sent events.
 */
export type AnsweringEndpoint<T> = EndpointBase<T> & {
  readonly mode: 'Answer';
  readonly handler: (request: EndpointRequest<T>) => unknown;
  /** Checks or trims what the handler returned before it is sent; what it throws is the endpoint's own failure (500). */
  readonly present?: (value: unknown) => unknown;
};

/**
 * An endpoint that enqueues a job and answers 202 with `{ jobId, statusUrl }`; the status URL is its `location` too.
 */
export type EnqueueingEndpoint<T> = Omit<EndpointBase<T>, 'parse'> & {
  readonly mode: 'Enqueue';
  readonly job: Job<T>;
  readonly options?: (request: EndpointRequest<T>) => EnqueueOptions;
};

/** An endpoint whose type of input is forgotten. */
export type EndpointDeclaration = AnsweringEndpoint<unknown> | EnqueueingEndpoint<unknown>;

/** Declares an endpoint that answers by itself. */
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

/** An answer with a status and headers of its own. */
export type EndpointAnswer = {
  readonly [answerMark]: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Makes an answer with a status and headers of its own, such as 201 with `location`. */
export function answer(
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): EndpointAnswer {
  return { [answerMark]: true, status, body, headers };
}

/** Whether a handler returned an answer of its own making. */
export function isAnswer(value: unknown): value is EndpointAnswer {
  return typeof value === 'object' && value !== null && answerMark in value;
}

/** A request that cannot be served as it is. */
export class EndpointRefusal extends Error {
  override readonly name = 'EndpointRefusal';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
