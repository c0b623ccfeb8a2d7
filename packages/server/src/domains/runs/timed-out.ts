import type { RunReason } from '../run-history/index.ts';
import type { RunToExecute } from './store/load-run.ts';

/** Returns the time limit of a run's query, in seconds. */
export const timeoutSecondsOf = (
  run: Pick<RunToExecute, 'timeoutSeconds'>,
  limits: { readonly timeoutSeconds: number },
): number => run.timeoutSeconds ?? limits.timeoutSeconds;

/**
 * Returns the reason of a run that timed out.
 *
 * @param messageReason  Outcome of the message about the timeout; null: it was sent, or none was due.
 */
export const timedOutReason = (seconds: number, messageReason: RunReason | null): RunReason => ({
  reason: 'TimedOut',
  seconds,
  ...(messageReason && { told: messageReason }),
});
