import { count } from '@svc/contract/wording';
import { ConnectorError } from './error.ts';

/**
 * End of one call to a data source: the caller's signal and the time limit in one. The caller disposes it after the
 * call, so that no timer remains.
 */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Remaining time in milliseconds, at least 1. */
  readonly remainingMs: () => number;
  /** Reason of the end: `timed-out` or `cancelled`. Undefined before the end. */
  readonly reason: () => ConnectorError | undefined;
  readonly dispose: () => void;
};

/** Longest single pause. A reader that reads nothing for longer is treated as gone. */
export const pauseMaxMs = 60_000;

/** Longest total of a reader's pauses. Servers with their own statement limit add this to it. */
export const pausesTotalMaxMs = 3_600_000;

/**
 * Time during which the reader of a result reads nothing. It does not count as time of the statement: the deadlines
 * of calls with these pauses stop meanwhile.
 */
export type ReaderPauses = {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Total duration of the pauses so far. */
  readonly totalMs: () => number;
  /** Calls `onChange` immediately with the present state, then at each change. Returns a function that ends the calls. */
  readonly follow: (onChange: (isPaused: boolean) => void) => () => void;
};

export function createReaderPauses(): ReaderPauses {
  const followers = new Set<(isPaused: boolean) => void>();
  let endedMs = 0;
  let since: number | undefined;
  const change = (isPaused: boolean): void => {
    for (const onChange of followers) onChange(isPaused);
  };
  return {
    pause: () => {
      if (since !== undefined || endedMs >= pausesTotalMaxMs) return;
      since = performance.now();
      change(true);
    },
    resume: () => {
      if (since === undefined) return;
      endedMs += performance.now() - since;
      since = undefined;
      change(false);
    },
    totalMs: () => endedMs + (since === undefined ? 0 : performance.now() - since),
    follow: (onChange) => {
      followers.add(onChange);
      onChange(since !== undefined);
      return () => followers.delete(onChange);
    },
  };
}

/** Returns the limit for the server of a statement, which cannot know when the reader pauses. */
export const serverLimitMs = (remainingMs: number, pauses: ReaderPauses | undefined): number =>
  remainingMs + (pauses ? pausesTotalMaxMs : 0);

/** Starts a countdown that can be stopped and continued. */
function startCountdown(totalMs: number, onEnd: () => void) {
  let leftMs = totalMs;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const remainingMs = () => leftMs - (since === undefined ? 0 : performance.now() - since);
  const stop = (): void => {
    leftMs = remainingMs();
    since = undefined;
    clearTimeout(timer);
  };
  const run = (): void => {
    if (since !== undefined) return;
    since = performance.now();
    timer = setTimeout(onEnd, Math.max(0, leftMs));
  };
  return { run, stop, remainingMs };
}

/** Starts the deadline of a call. */
export function startDeadline(options: {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly pauses?: ReaderPauses | undefined;
}): Deadline {
  const controller = new AbortController();
  const countdown = startCountdown(options.timeoutMs, () =>
    controller.abort(
      new ConnectorError('timed-out', `The time limit of ${count(options.timeoutMs)} ms has passed.`),
    ),
  );
  const unfollow = options.pauses?.follow((isPaused) => (isPaused ? countdown.stop() : countdown.run()));
  if (!options.pauses) countdown.run();
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
    remainingMs: () => Math.max(1, Math.ceil(countdown.remainingMs())),
    reason: () => (controller.signal.reason instanceof ConnectorError ? controller.signal.reason : undefined),
    dispose: () => {
      countdown.stop();
      unfollow?.();
      options.signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Rejects as soon as the signal aborts. The work itself continues, and its result is ignored. */
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
