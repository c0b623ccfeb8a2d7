import type { IncomingMessage } from 'node:http';
import type { Carrier } from './connection.ts';
import { isServerOpen } from './server-open.ts';

/** Response to a poll. `Over`: the connection has ended, and no more messages follow. */
export type PollAnswer = { readonly bytes: Buffer; readonly isBinary: boolean } | 'Nothing' | 'Over';

/** Buffers messages until the client polls. */
export class LongPoll {
  readonly #pollMs: number;
  readonly #goneMs: number;
  readonly #onGone: () => void;
  #request: IncomingMessage;
  #waiting: ((answer: PollAnswer) => void) | undefined;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #isBinary = false;
  #isEnded = false;
  #goneTimer: NodeJS.Timeout | undefined;

  /** @param goneMs Time without a poll after which the client counts as disconnected. */
  constructor(request: IncomingMessage, options: { pollMs: number; goneMs: number; onGone: () => void }) {
    this.#request = request;
    this.#pollMs = options.pollMs;
    this.#goneMs = options.goneMs;
    this.#onGone = options.onGone;
    this.#expectPoll();
  }

  readonly carrier: Carrier = {
    send: (bytes, isBinary) => {
      this.#kept.push(bytes);
      this.#keptBytes += bytes.length;
      this.#isBinary = isBinary;
      this.#answer();
    },
    bufferedBytes: () => this.#keptBytes,
    end: () => {
      this.#isEnded = true;
      this.#answer();
    },
    cut: () => {
      this.#kept = [];
      this.#keptBytes = 0;
      this.carrier.end();
    },
    isServerOpen: () => isServerOpen(this.#request),
  };

  /** Waits for a message. A new poll replaces a waiting one. */
  poll(request: IncomingMessage, signal: AbortSignal): Promise<PollAnswer> {
    this.#request = request;
    clearTimeout(this.#goneTimer);
    this.#waiting?.('Nothing');
    const { promise, resolve } = Promise.withResolvers<PollAnswer>();
    const timer = setTimeout(() => settle('Nothing'), this.#pollMs).unref();
    const settle = (answer: PollAnswer): void => {
      clearTimeout(timer);
      if (this.#waiting !== settle) return;
      this.#waiting = undefined;
      this.#expectPoll();
      resolve(answer);
    };
    this.#waiting = settle;
    signal.addEventListener('abort', () => settle('Nothing'), { once: true });
    this.#answer();
    return promise;
  }

  #answer(): void {
    if (!this.#waiting) return;
    if (this.#kept.length > 0) {
      const bytes = Buffer.concat(this.#kept);
      this.#kept = [];
      this.#keptBytes = 0;
      this.#waiting({ bytes, isBinary: this.#isBinary });
    } else if (this.#isEnded) {
      clearTimeout(this.#goneTimer);
      this.#waiting('Over');
      clearTimeout(this.#goneTimer);
      this.#onGone();
    }
  }

  #expectPoll(): void {
    clearTimeout(this.#goneTimer);
    this.#goneTimer = setTimeout(this.#onGone, this.#goneMs).unref();
  }
}
