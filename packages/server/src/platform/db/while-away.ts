import { isDatabaseAway } from '@svc/jobs';

/** A failed attempt that will be repeated. */
export type FailedAttempt = {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly error: unknown;
  readonly retryInMs: number;
};

type WhileAwayOptions = {
  /** Called after each failed attempt, before the wait. */
  readonly onWait: (failed: FailedAttempt) => void;
  /** Time from the first failure after which the error is thrown. Default 60 s. */
  readonly forMs?: number;
  /** First wait; each later one is twice as long, up to 5 s. Default 500 ms. */
  readonly firstWaitMs?: number;
};

const forMsDefault = 60_000;
const firstWaitMsDefault = 500;
const waitMsMax = 5_000;

/**
 * Repeats work that fails because the metadata database is unavailable or ended the session. All other failures,
 * such as a wrong password or a missing database, are thrown immediately.
 *
 * @param work May run several times, so it must leave no state when it fails.
 */
export async function whileDatabaseAway<T>(
  work: () => Promise<T> | T,
  options: WhileAwayOptions,
): Promise<T> {
  const { forMs = forMsDefault, firstWaitMs = firstWaitMsDefault } = options;
  let firstFailureMs: number | undefined;
  let waitMs = firstWaitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const nowMs = performance.now();
      firstFailureMs ??= nowMs;
      if (!isDatabaseAway(error) || nowMs + waitMs > firstFailureMs + forMs) throw error;
      options.onWait({ attempt, error, retryInMs: waitMs });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, waitMsMax);
    }
  }
}
