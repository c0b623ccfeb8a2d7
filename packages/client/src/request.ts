import { takesIdempotencyKey } from './keyed-routes.ts';
import { readProblem, SvcConnectionError, type SvcProblem } from './problem.ts';
import { delayBeforeRetry, type RetryOptions, waitFor } from './retry.ts';

/** Bytes of a file as a request's body. Each can be sent again, which a stream cannot. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;

/** What a call takes beside its input. */
export type CallOptions = {
  /** Ends the call, waits before another attempt included; it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, attempts and waits included. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /**
   * Makes sure that the work is done once. Operations that take a key get a new one by themselves: give one to repeat a
   * call of an earlier process. Other operations ignore it.
   */
  readonly idempotencyKey?: string | undefined;
  /** The ETag of the record that is changed, such as `"3"`, or its `version`: 412 when it was changed meanwhile. */
  readonly ifMatch?: string | number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** A request as it is sent, but for where the service is and who calls. */
export type RawRequest = CallOptions & {
  readonly method: string;
  /** From the service's root, e.g. `/svc/api/projects?page=1`. */
  readonly path: string;
  readonly body?: string | FileBody | undefined;
  readonly contentType?: string | undefined;
};

/** How requests leave: where the service is, who calls, and what is done when they fail. */
export type Transport = RetryOptions & {
  /** Where the service is, without a slash at the end. */
  readonly base: string;
  readonly key: () => string | undefined | Promise<string | undefined>;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly userAgent: string | undefined;
};

const repeatable = new Set(['GET', 'HEAD']);

/**
 * Sends a request, again where that is safe, and gives what `read` makes of the answer of success. An answer that breaks
 * off while it is read is asked for again too.
 *
 * @throws SvcProblem for a refusal, SvcConnectionError where no answer came, the signal's reason when it was aborted.
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
      // A redirect would take the key elsewhere.
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
