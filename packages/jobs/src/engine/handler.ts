import type { Job } from '../client/declare.ts';
import type { Executor } from '../client/executor.ts';
import { UnretryableError } from '../errors.ts';

/** Severity of a line of a job's log. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Context of a run, passed to the handler with the payload. */
export type JobRun = {
  readonly jobId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly attemptsMax: number;
  /** Trace id as a uuid, shared with the request or job that enqueued this job. */
  readonly traceId: string;
  readonly spawnedBy: string | null;
  readonly batchId: string | null;
  /**
   * Slot: the time for which a schedule created the job. For a tick it is the exact due time; for a manual trigger it
   * is the time of the trigger. It is the same at every retry, recovery and requeue, so it can identify the job's
   * output. Null for a job that no schedule created.
   */
  readonly slotAt: Date | null;
  /** Recurring schedule that fired the job; null without one. */
  readonly scheduleKey: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Aborts with a `JobAbortError` on cancellation, timeout, loss of the lease, and at the end of a stop. */
  readonly signal: AbortSignal;
  /**
   * Fencing token. It increases with every claim of the job. A handler that writes to another system can pass it along,
   * so that the system refuses a lower token.
   */
  readonly fence: number;
  /** Queries PostgreSQL and returns true while this run has the job's lease. Returns false after the lease expired. */
  isCurrent(): Promise<boolean>;
  /**
   * Completes the job in the handler's own transaction, so its writes and the completion commit together. The handler
   * returns after its commit.
   *
   * @throws JobsError `NotCurrent` when another run has the job. The handler must roll back the transaction.
   */
  completeIn(executor: Executor): Promise<void>;
  /** Adds a line to the job's log. Lines are stored about once a second and at the end of the attempt. */
  log(message: string, level?: LogLevel): void;
  /** Reports progress: a share from 0 to 1 and an optional text. Stored about once a second. */
  progress(share: number, text?: string): void;
};

/**
 * Returns the slot of a job.
 *
 * @throws UnretryableError where no schedule created the job. Without a slot, nothing identifies the job's output.
 */
export function requireSlot({ slotAt }: Pick<JobRun, 'slotAt'>): Date {
  if (slotAt === null) throw new UnretryableError('The job has no slot: no schedule made it.');
  return slotAt;
}

/**
 * Runs one attempt. Effects happen at least once: a worker lost after the effects and before the recorded completion
 * leads to another run.
 */
export type JobHandler<T> = (payload: T, run: JobRun) => unknown;

/** Declaration with its handler, without the payload type. */
export type RegisteredHandler = {
  readonly job: Job<unknown>;
  readonly invoke: (payload: unknown, run: JobRun) => unknown;
};

/** Combines a declaration with its handler. The caller of `invoke` must validate the payload with the declaration's `parse`. */
export function registerHandler<T>(job: Job<T>, handler: JobHandler<T>): RegisteredHandler {
  return {
    job: job as Job<unknown>,
    invoke: (payload, run) => handler(payload as T, run),
  };
}
