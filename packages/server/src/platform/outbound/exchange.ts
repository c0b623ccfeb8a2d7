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

const unneeded = new Error('The rest of the answer is not wanted.');

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
  const run = new Exchange(limits, signal);
  if (!run.isSettled) run.dispatch(dispatcher, request);
  return run.answer;
}

/** One exchange: it settles once, by a response, an error, a timeout or a cancellation. */
class Exchange {
  readonly answer: Promise<ExchangeAnswer>;
  readonly #limits: ExchangeLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (answer: ExchangeAnswer) => void;
  readonly #reject: (error: ExchangeError) => void;
  readonly #chunks: Buffer[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<ExchangeAnswer, 'status' | 'headers'> | undefined;
  #bytes = 0;
  #isSettled = false;
  #isSent = false;

  constructor(limits: ExchangeLimits, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<ExchangeAnswer>();
    this.answer = promise;
    this.#limits = limits;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#after(limits.totalMs, this.#timeOut);
    signal?.addEventListener('abort', this.#cancel, { once: true });
    if (signal?.aborted) this.#cancel();
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  dispatch(dispatcher: Dispatcher, request: ExchangeRequest): void {
    try {
      dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, this.#handler());
    } catch (error) {
      this.#fail(error);
    }
  }

  #handler(): Dispatcher.DispatchHandler {
    let firstByteTimer: NodeJS.Timeout | undefined;
    return {
      onRequestStart: (controller) => {
        this.#controller = controller;
        // The exchange ended while the connection was opening. Nothing is written.
        if (this.#isSettled) return controller.abort(unneeded);
        this.#isSent = true;
        firstByteTimer = this.#after(this.#limits.firstByteMs, this.#timeOut);
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return;
        clearTimeout(firstByteTimer);
        this.#head = { status, headers };
        if (!this.#limits.keepAnswer) this.#after(this.#limits.drainMs, () => this.#finish(false));
      },
      onResponseData: (_controller, chunk) => this.#receive(chunk),
      onResponseEnd: () => this.#finish(true),
      onResponseError: (_controller, error) => this.#fail(error),
    };
  }

  #receive(chunk: Buffer): void {
    if (this.#isSettled) return;
    const { answerBytesMax, keepAnswer } = this.#limits;
    const remainingBytes = answerBytesMax - this.#bytes;
    this.#bytes += Math.min(remainingBytes, chunk.length);
    if (keepAnswer && remainingBytes > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, remainingBytes)));
    if (chunk.length > remainingBytes) this.#finish(false);
  }

  #finish(isComplete: boolean): void {
    if (this.#isSettled || !this.#head) return;
    this.#settle();
    this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks), bytes: this.#bytes, isComplete });
    if (!isComplete) this.#controller?.abort(unneeded);
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return;
    if (this.#head) {
      this.#finish(false);
      return;
    }
    this.#settle();
    this.#reject(new ExchangeError(failureOf(error, this.#isSent), this.#isSent));
    this.#controller?.abort(unneeded);
  }

  readonly #timeOut = (): void =>
    this.#fail(new OutboundError('TimedOut', this.#isSent ? 'answer' : 'connect'));

  readonly #cancel = (): void =>
    this.#fail(new OutboundError('Cancelled', this.#isSent ? 'answer' : 'connect'));

  #after(ms: number, action: () => void): NodeJS.Timeout {
    const timer = setTimeout(action, ms);
    this.#timers.add(timer);
    return timer;
  }

  #settle(): void {
    this.#isSettled = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal?.removeEventListener('abort', this.#cancel);
  }
}
