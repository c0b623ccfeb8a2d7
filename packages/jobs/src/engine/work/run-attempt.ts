import { retryDelayMs } from '../../client/declare.ts';
import { runInJobContext } from '../../context.ts';
import { errorText, UnretryableError } from '../../errors.ts';
import type { AttemptEnd } from '../../sql/jobs/end-attempts.ts';
import type { JobRun } from '../handler.ts';
import type { HeldJob } from './held-jobs.ts';

/** Time between the abort of a handler's signal and the end of the wait for that handler. */
const abandonAfterMs = 10_000;

/** Result of an attempt: an end to record, a job to release, or none because another run has the job. */
export type AttemptOutcome =
  | { readonly kind: 'Ended'; readonly end: AttemptEnd }
  | { readonly kind: 'Released' | 'Lost' };

/** Settles with the handler, or rejects with the abort reason 10 s after the abort. */
function settled(held: HeldJob, work: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const dispose = () => {
      held.onAbort = null;
      if (timer !== undefined) clearTimeout(timer);
    };
    held.onAbort = () => {
      // A stop has its own time limit and releases unfinished jobs then.
      if (held.abortCause === 'Stopping') return;
      timer = setTimeout(() => {
        held.onAbort = null;
        reject(held.abortReason);
      }, abandonAfterMs);
    };
    work.then(
      () => {
        dispose();
        resolve(undefined);
      },
      (error: unknown) => {
        dispose();
        reject(error);
      },
    );
  });
}

async function invoke(held: HeldJob, run: JobRun): Promise<void> {
  const { row, handler } = held;
  let payload: unknown;
  try {
    payload = handler.job.parse(row.payload);
  } catch (error) {
    throw new UnretryableError(`The stored payload was refused: ${errorText(error)}`);
  }
  const { timeoutMs } = handler.job;
  const timer = setTimeout(() => held.abort('TimedOut'), timeoutMs);
  try {
    const context = { traceId: row.trace_id, jobId: row.id, metadata: row.metadata };
    await settled(
      held,
      runInJobContext(context, async () => handler.invoke(payload, run)),
    );
  } finally {
    clearTimeout(timer);
  }
}

function failure(held: HeldJob, error: unknown): Pick<AttemptEnd, 'state' | 'delayMs' | 'error'> {
  const { row, handler } = held;
  const cause = held.abortCause === 'TimedOut' ? held.abortReason : error;
  const isLast = row.attempt >= row.attempts_max || error instanceof UnretryableError;
  return isLast
    ? { state: 'Failed', delayMs: null, error: errorText(cause) }
    : {
        state: 'AwaitingRetry',
        delayMs: retryDelayMs(handler.job.retry, row.attempt),
        error: errorText(cause),
      };
}

/**
 * Runs one attempt and returns its result. A handler that returns has completed the job, even after a cancellation or a
 * timeout.
 */
export async function runAttempt(held: HeldJob, run: JobRun): Promise<AttemptOutcome> {
  const { id, fence } = held.row;
  const startedAtMs = performance.now();
  held.startedAtMs = startedAtMs;
  const ended = (rest: Pick<AttemptEnd, 'state' | 'delayMs' | 'error'>): AttemptOutcome => ({
    kind: 'Ended',
    end: { id, fence, durationMs: performance.now() - startedAtMs, ...rest },
  });
  try {
    await invoke(held, run);
    return ended({ state: 'Completed', delayMs: null, error: null });
  } catch (error) {
    if (held.abortCause === 'LeaseLost') return { kind: 'Lost' };
    if (held.abortCause === 'Stopping') return { kind: 'Released' };
    if (held.abortCause === 'Cancelled') {
      return ended({ state: 'Cancelled', delayMs: null, error: errorText(error) });
    }
    return ended(failure(held, error));
  } finally {
    held.isOver = true;
  }
}
