import { SvcConnectionError, type SvcProblem } from './problem.ts';

export type RetryOptions = {
  /** Retries after the first attempt; 0: none. */
  readonly retriesMax: number;
  /** Longest wait before a retry. A response that requests a longer wait is not retried. */
  readonly retryDelayMaxMs: number;
};

/**
 * First delay. It doubles with each attempt; a random share of up to half is removed, so that clients do not retry
 * simultaneously.
 */
const firstDelayMs = 250;

/** Statuses of a temporarily unavailable service or proxy, and of a rate limit. */
const passing = new Set([429, 502, 503, 504]);

/** Returns the milliseconds until the next attempt; undefined if there is none. */
export function delayBeforeRetry(
  failure: SvcProblem | SvcConnectionError,
  attempt: number,
  { retriesMax, retryDelayMaxMs }: RetryOptions,
): number | undefined {
  if (attempt >= retriesMax) return undefined;
  const ownDelayMs = Math.min(retryDelayMaxMs, firstDelayMs * 2 ** attempt) * (0.5 + Math.random() / 2);
  if (failure instanceof SvcConnectionError) return ownDelayMs;
  // The service is still executing the same request. A retry receives its response.
  if (!passing.has(failure.status) && failure.code !== 'request-under-way') return undefined;
  const askedMs = (failure.retryAfterSeconds ?? 0) * 1_000;
  return askedMs > retryDelayMaxMs ? undefined : Math.max(askedMs, ownDelayMs);
}

/** Waits. @throws the signal's reason if it is aborted during the wait. */
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
