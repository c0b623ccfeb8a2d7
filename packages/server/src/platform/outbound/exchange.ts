import { type Dispatcher, errors } from 'undici';
import { errorCodeOf, OutboundError } from './failure.ts';

/** A request to an origin that was already checked. */
export type ExchangeRequest = {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
};

/** Limits of one exchange. */
export type ExchangeLimits = {
  /** From the start of writing the request to the first byte of the response. */
  readonly firstByteMs: number;
  /** From the call to the end, including resolving and connecting. */
  readonly totalMs: number;
  /** Maximum time for reading an unneeded body before the connection is closed. */
  readonly drainMs: number;
  readonly answerBytesMax: number;
  /** True to return the body. Otherwise it is read and dropped, so that the connection can be reused. */
  readonly keepAnswer: boolean;
};

/** A response. `isComplete` is false if the body was cut at the limit or broke off. */
export type ExchangeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly bytes: number;
  readonly isComplete: boolean;
};

/** An exchange without a response. `mayHaveArrived`: writing of the request had begun. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly failure: OutboundError;
  readonly mayHaveArrived: boolean;

  constructor(failure: OutboundError, mayHaveArrived: boolean) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.mayHaveArrived = mayHaveArrived;
  }
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);
const badAnswerCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE']);

function failureOf(error: unknown, isSent: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = errorCodeOf(error) ?? '';
  const stage = isSent ? 'answer' : 'connect';
  if (timeoutCodes.has(code)) return new OutboundError('TimedOut', stage, error);
  if (badAnswerCodes.has(code) || error instanceof errors.HTTPParserError)
    return new OutboundError('InvalidAnswer', stage, error);
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundError('RequestInvalid', 'request', error);
  return new OutboundError(isSent ? 'ConnectionLost' : 'ConnectionFailed', stage, error);
}

const stopped = new Error('The rest of the answer is not wanted.');

/**
 * Sends one request and reads the response within the limits. The promise always settles by `totalMs`. A received
 * status counts, even if the body hangs, breaks off or is too long.
 *
 * @throws ExchangeError if no status arrived.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  limits: ExchangeLimits,
  signal: AbortSignal | undefined,
): Promise<ExchangeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeAnswer>();
  const chunks: Buffer[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let controller: Dispatcher.DispatchController | undefined;
  let head: Pick<ExchangeAnswer, 'status' | 'headers'> | undefined;
  let bytes = 0;
  let isSettled = false;
  let isSent = false;

  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(act, ms);
    timers.add(timer);
    return timer;
  };
  const settle = () => {
    isSettled = true;
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  const finish = (isComplete: boolean) => {
    if (isSettled || !head) return;
    settle();
    resolve({ ...head, body: Buffer.concat(chunks), bytes, isComplete });
    if (!isComplete) controller?.abort(stopped);
  };
  const fail = (error: unknown) => {
    if (isSettled) return;
    if (head) return finish(false);
    settle();
    reject(new ExchangeError(failureOf(error, isSent), isSent));
    controller?.abort(stopped);
  };
  const timeOut = () => fail(new OutboundError('TimedOut', isSent ? 'answer' : 'connect'));
  function onAbort() {
    fail(new OutboundError('Cancelled', isSent ? 'answer' : 'connect'));
  }

  after(limits.totalMs, timeOut);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  if (isSettled) return promise;
  let firstByteTimer: NodeJS.Timeout | undefined;

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      // The exchange ended while the connection was opening. Nothing is written.
      if (isSettled) return started.abort(stopped);
      isSent = true;
      firstByteTimer = after(limits.firstByteMs, timeOut);
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      clearTimeout(firstByteTimer);
      head = { status, headers };
      if (!limits.keepAnswer) after(limits.drainMs, () => finish(false));
    },
    onResponseData(_controller, chunk) {
      if (isSettled) return;
      const room = limits.answerBytesMax - bytes;
      bytes += Math.min(room, chunk.length);
      if (limits.keepAnswer && room > 0) chunks.push(Buffer.from(chunk.subarray(0, room)));
      if (chunk.length > room) finish(false);
    },
    onResponseEnd: () => finish(true),
    onResponseError: (_controller, error) => fail(error),
  };
  try {
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler);
  } catch (error) {
    fail(error);
  }
  return promise;
}
