import type { Operations } from './operations.generated.ts';
import { SvcConnectionError } from './problem.ts';
import { type CallOptions, type FileBody, type RawRequest, send, type Transport } from './request.ts';
import { type Input, nextPage, pathOf, serviceAddress } from './request-url.ts';
import { routes } from './routes.generated.ts';

/** Id of an operation, as in the OpenAPI document. */
export type OperationId = keyof Operations;

/** Input of an operation. */
export type InputOf<Id extends OperationId> = Operations[Id]['input'];

/** Response body of an operation. */
export type AnswerOf<Id extends OperationId> = Operations[Id]['answer'];

type Arguments<Id extends OperationId> =
  Record<string, never> extends InputOf<Id>
    ? [input?: InputOf<Id>, options?: CallOptions]
    : [input: InputOf<Id>, options?: CallOptions];

/** A method for each operation. Methods for files and streams return a `Response`. */
export type OperationMethods = {
  readonly [Id in OperationId]: (...given: Arguments<Id>) => Promise<AnswerOf<Id>>;
};

/** Operations that return a list in pages. */
export type ListId = {
  [Id in OperationId]: AnswerOf<Id> extends { readonly items: readonly unknown[]; readonly pageCount: number }
    ? Id
    : never;
}[OperationId];

/** One entry of a list. */
export type ItemOf<Id extends ListId> =
  AnswerOf<Id> extends { readonly items: readonly (infer Item)[] } ? Item : never;

export type SvcClientOptions = {
  /** Origin of the service, plus its mount path if it has one, with or without `/svc`. */
  readonly url: string;
  /** An API key or an access token. A function is called before each request, so that it can renew a token. */
  readonly key?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Deadline of one call in milliseconds, including retries and waits. Default 2 minutes. */
  readonly timeoutMs?: number;
  /** Retries of repeatable requests: reads, and requests with an Idempotency-Key. Default 3. */
  readonly retriesMax?: number;
  /** Longest wait before a retry, in milliseconds. A response that requests a longer wait is thrown. Default 30 s. */
  readonly retryDelayMaxMs?: number;
  /** User-Agent of each request, if the platform allows setting it. */
  readonly userAgent?: string;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
};

export type SvcClient = OperationMethods & {
  /** Returns all entries of a list, page by page. Concurrent changes may move entries between pages. */
  readonly listAll: <Id extends ListId>(
    operation: Id,
    ...given: Arguments<Id>
  ) => AsyncGenerator<ItemOf<Id>, void, undefined>;
  /**
   * Calls an operation and returns its response body with status and headers, such as the ETag.
   *
   * @throws the same errors as the methods.
   */
  readonly call: <Id extends OperationId>(
    operation: Id,
    ...given: Arguments<Id>
  ) => Promise<{ readonly data: AnswerOf<Id>; readonly status: number; readonly headers: Headers }>;
  /** Sends a request to any path of the service, for requests without a method. */
  readonly send: (request: RawRequest) => Promise<Response>;
};

const minuteMs = 60_000;

/**
 * Creates a client of one service. Its methods throw `SvcProblem` for a refusal and `SvcConnectionError` without a
 * response. They throw the reason of `signal` if it is aborted.
 *
 * @throws TypeError if `url` is not a valid address of a service.
 */
export function createSvcClient(options: SvcClientOptions): SvcClient {
  const { key } = options;
  const transport: Transport = {
    base: serviceAddress(options.url),
    key: typeof key === 'function' ? key : () => key,
    fetch: options.fetch ?? ((...given) => globalThis.fetch(...given)),
    timeoutMs: options.timeoutMs ?? 2 * minuteMs,
    retriesMax: options.retriesMax ?? 3,
    retryDelayMaxMs: options.retryDelayMaxMs ?? minuteMs / 2,
    userAgent: options.userAgent,
  };
  const call = (id: OperationId, input?: Input, more?: CallOptions) =>
    callOperation(transport, id, input, more);
  const methods = Object.fromEntries(
    (Object.keys(routes) as OperationId[]).map((id) => [
      id,
      async (input?: Input, more?: CallOptions) => (await call(id, input, more)).data,
    ]),
  );
  return {
    ...methods,
    call,
    listAll: (id: OperationId, input?: Input, more?: CallOptions) => listAll(transport, id, input, more),
    send: (request: RawRequest) => send(transport, request, asItIs),
  } as unknown as SvcClient;
}

/** Returns method, path and flags of an operation in `routes`. */
function routeOf(id: OperationId): { method: string; template: string; words: readonly string[] } {
  const [method = '', template = '', ...words] = routes[id].split(' ');
  return { method, template, words };
}

function requestOf(id: OperationId, input: Input = {}, options: CallOptions = {}): RawRequest {
  const { method, template, words } = routeOf(id);
  const isFile = words.includes('file');
  const { body } = input;
  return {
    ...options,
    method,
    path: pathOf(template, input),
    ...(body !== undefined && {
      body: isFile ? (body as FileBody) : JSON.stringify(body),
      contentType: isFile ? 'application/octet-stream' : 'application/json',
    }),
    idempotencyKey: options.idempotencyKey ?? (words.includes('keyed') ? crypto.randomUUID() : undefined),
  };
}

/** A response with its text. */
type Read = { readonly text: string; readonly status: number; readonly headers: Headers };

const asItIs = async (answer: Response): Promise<Response> => answer;
const readText = async (answer: Response): Promise<Read> => ({
  text: await answer.text(),
  status: answer.status,
  headers: answer.headers,
});

function parse({ text }: Read): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SvcConnectionError('What answers at this address is not the service.', { cause: error });
  }
}

async function callOperation(transport: Transport, id: OperationId, input?: Input, options?: CallOptions) {
  const request = requestOf(id, input, options);
  if (routeOf(id).words.includes('raw')) {
    const data = await send(transport, request, asItIs);
    return { data, status: data.status, headers: data.headers };
  }
  const answer = await send(transport, request, readText);
  return { data: parse(answer), status: answer.status, headers: answer.headers };
}

async function* listAll(transport: Transport, id: OperationId, input?: Input, options?: CallOptions) {
  const request = requestOf(id, input, options);
  const asked = new Set<string>();
  for (let path = request.path; !asked.has(path); ) {
    asked.add(path);
    const answer = await send(transport, { ...request, path }, readText);
    const { items } = parse(answer) as { readonly items: readonly unknown[] };
    yield* items;
    const next = nextPage(answer.headers.get('link'));
    if (next === undefined) return;
    // Only the query string of the target is used: a list never continues at another address.
    path = request.path.split('?', 1)[0] + next;
  }
}
