import { SvcConnectionError, type SvcProblem } from './problem.ts';

export type RetryOptions = {
  /** Further attempts after the first; 0: none. */
  readonly retriesMax: number;
  /** The longest wait before an attempt; an answer that asks for a longer one is not waited for. */
  readonly retryDelayMaxMs: number;
};

/** Doubled with each attempt, of which a random half is taken away, so that many clients do not come back at once. */
const firstDelayMs = 250;

/** Statuses of a service or proxy that is away for a while, and of one that asks to come back. */
const passing = new Set([429, 502, 503, 504]);

/** Milliseconds until the next attempt; undefined when there is none. */
export function delayBeforeRetry(
  failure: SvcProblem | SvcConnectionError,
  attempt: number,
  { retriesMax, retryDelayMaxMs }: RetryOptions,
): number | undefined {
  if (attempt >= retriesMax) return undefined;
  const ownDelayMs = Math.min(retryDelayMaxMs, firstDelayMs * 2 ** attempt) * (0.5 + Math.random() / 2);
  if (failure instanceof SvcConnectionError) return ownDelayMs;
  // The same request is being worked on: its answer is told to whoever asks again.
  if (!passing.has(failure.status) && failure.code !== 'request-under-way') return undefined;
  const askedMs = (failure.retryAfterSeconds ?? 0) * 1_000;
  return askedMs > retryDelayMaxMs ? undefined : Math.max(askedMs, ownDelayMs);
}

/** Waits. @throws the signal's reason when it is aborted meanwhile. */
export function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
