import { takesIdempotencyKey } from './keyed-routes.ts';
import { readProblem, SvcConnectionError, type SvcProblem } from './problem.ts';
import { delayBeforeRetry, type RetryOptions, waitFor } from './retry.ts';

/** Bytes of a file as a request body. A retry can send them again, unlike a stream. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;

/** Options of a call. */
export type CallOptions = {
  /** Ends the call, including waits before retries. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call in milliseconds, including retries and waits. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /**
   * Ensures that the service executes the request once. Operations that accept a key get a new one by default. Set it
   * to repeat a call of an earlier process. Other operations ignore it.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * ETag of the record to change, such as `"3"`, or its `version`. The service answers 412 if the record has changed
   * since.
   */
  readonly ifMatch?: string | number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** A request without the address of the service and the caller's key. */
export type RawRequest = CallOptions & {
  readonly method: string;
  /** Path from the service's root, e.g. `/svc/api/projects?page=1`. */
  readonly path: string;
  readonly body?: string | FileBody | undefined;
  readonly contentType?: string | undefined;
};

/** Settings for sending requests: address, key, and handling of failures. */
export type Transport = RetryOptions & {
  /** Address of the service, without a trailing slash. */
  readonly base: string;
  readonly key: () => string | undefined | Promise<string | undefined>;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly userAgent: string | undefined;
};

const repeatable = new Set(['GET', 'HEAD']);

/**
 * Sends a request, with retries if it is repeatable, and returns the result of `read` for a success response. A
 * response that breaks off while it is read is also retried.
 *
 * @throws SvcProblem for a refusal, SvcConnectionError without a response, the signal's reason if it is aborted.
 */
export async function send<T>(
  transport: Transport,
  request: RawRequest,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const { signal } = request;
  const clock = new AbortController();
  const timeoutMs = request.timeoutMs ?? transport.timeoutMs;
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  const until = signal ? AbortSignal.any([signal, clock.signal]) : clock.signal;
  const { method, path, idempotencyKey } = request;
  const mayRepeat =
    repeatable.has(method) || (idempotencyKey !== undefined && takesIdempotencyKey(method, path));
  try {
    for (let attempt = 0; ; attempt++) {
      const result = await attemptOnce(transport, request, read, until);
      if ('value' in result) return result.value;
      const delayMs = mayRepeat ? delayBeforeRetry(result.failure, attempt, transport) : undefined;
      if (delayMs === undefined) throw result.failure;
      await waitFor(delayMs, until);
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (clock.signal.aborted)
      throw new SvcConnectionError(`The service did not answer in ${timeoutMs / 1_000} s.`, {
        cause: error,
        isTimeout: true,
      });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

type Attempt<T> = { readonly value: T } | { readonly failure: SvcProblem | SvcConnectionError };

async function attemptOnce<T>(
  transport: Transport,
  request: RawRequest,
  read: (answer: Response) => Promise<T>,
  signal: AbortSignal,
): Promise<Attempt<T>> {
  signal.throwIfAborted();
  const headers = await headersOf(transport, request);
  try {
    const answer = await transport.fetch(transport.base + request.path, {
      method: request.method,
      headers,
      // A redirect could send the key to another server.
      redirect: 'manual',
      signal,
      ...(request.body !== undefined && { body: request.body }),
    });
    return answer.ok ? { value: await read(answer) } : { failure: await readProblem(answer) };
  } catch (error) {
    signal.throwIfAborted();
    const message = `The service at ${transport.base} cannot be reached.`;
    return { failure: new SvcConnectionError(message, { cause: error }) };
  }
}

async function headersOf(transport: Transport, request: RawRequest): Promise<Record<string, string>> {
  const { idempotencyKey, ifMatch, contentType } = request;
  const key = await transport.key();
  return {
    accept: 'application/json',
    ...(transport.userAgent !== undefined && { 'user-agent': transport.userAgent }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
    ...request.headers,
  };
}
