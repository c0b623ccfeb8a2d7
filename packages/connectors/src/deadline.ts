import { ConnectorError } from './error.ts';

/**
 * The end of one call towards a data source: the caller's signal and the time limit in one. Dispose it when the call
 * is over, so that no timer stays.
 */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Milliseconds left, at least 1. */
  readonly remainingMs: () => number;
  /** Why it ended: `timed-out` or `cancelled`; undefined while it has not. */
  readonly reason: () => ConnectorError | undefined;
  readonly dispose: () => void;
};

/** Starts the clock of a call. */
export function startDeadline(options: {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}): Deadline {
  const controller = new AbortController();
  const endsAt = performance.now() + options.timeoutMs;
  const timer = setTimeout(
    () =>
      controller.abort(
        new ConnectorError('timed-out', `The time limit of ${options.timeoutMs} ms has passed.`),
      ),
    options.timeoutMs,
  );
  const onAbort = () =>
    controller.abort(
      options.signal.reason instanceof ConnectorError
        ? options.signal.reason
        : new ConnectorError('cancelled', 'The run was cancelled.', { cause: options.signal.reason }),
    );
  if (options.signal.aborted) onAbort();
  else options.signal.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(1, Math.ceil(endsAt - performance.now())),
    reason: () => (controller.signal.reason instanceof ConnectorError ? controller.signal.reason : undefined),
    dispose: () => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Rejects as soon as the signal does; the work goes on without anybody who waits for it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
