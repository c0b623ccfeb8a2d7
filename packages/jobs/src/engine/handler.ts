import type { Job } from '../client/declare.ts';
import type { Executor } from '../client/executor.ts';
import { UnretryableError } from '../errors.ts';

/** How much a line of a job's log weighs. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a handler gets beside its payload. */
export type JobRun = {
  readonly jobId: string;
  /** 1 at the first attempt. */
  readonly attempt: number;
  readonly attemptsMax: number;
  /** Trace id as a uuid: shared with the request or job that enqueued this one. */
  readonly traceId: string;
  readonly spawnedBy: string | null;
  readonly batchId: string | null;
  /**
   * The slot: the time for which a schedule made the job. For a tick it is the exact due time; for a schedule that was
   * triggered by hand it is that moment. It is the same at every retry, recovery and requeue, so that it can identify
   * what the job makes. Null for a job that no schedule made.
   */
  readonly slotAt: Date | null;
  /** The recurring schedule that fired it; null otherwise. */
  readonly scheduleKey: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Aborted with a `JobAbortError` on cancellation, timeout, loss of the lease, and at the end of a stop. */
  readonly signal: AbortSignal;
  /**
   * Fencing token: rises with every claim of this job. Where a handler writes to another system that can compare, it
   * passes this number along and lets the system refuse a lower one.
   */
  readonly fence: number;
  /** Whether this run still holds the job, by PostgreSQL's word. False once its lease ran out. */
  isCurrent(): Promise<boolean>;
  /**
   * Completes the job in the handler's own transaction: what it wrote there and the completion are one. The handler
   * returns after its commit.
   *
   * @throws JobsError `NotCurrent` when another run holds the job: the transaction has to be rolled back.
   */
  completeIn(executor: Executor): Promise<void>;
  /** Writes a line into the job's log; stored about each second and at the end of the attempt. */
  log(message: string, level?: LogLevel): void;
  /** Tells how far it is: a share from 0 to 1 and optional words; stored about each second. */
  progress(share: number, text?: string): void;
};

/**
 * Returns the slot of a job.
 *
 * @throws UnretryableError where no schedule made the job: without a slot nothing can identify what it makes.
 */
export function requireSlot({ slotAt }: Pick<JobRun, 'slotAt'>): Date {
  if (slotAt === null) throw new UnretryableError('The job has no slot: no schedule made it.');
  return slotAt;
}

/** Runs one attempt. Effects happen at least once: a worker that is lost after them and before its completion is
 * recorded leads to another run. */
export type JobHandler<T> = (payload: T, run: JobRun) => unknown;

/** A declaration with its handler, its payload type forgotten. */
export type RegisteredHandler = {
  readonly job: Job<unknown>;
  readonly invoke: (payload: unknown, run: JobRun) => unknown;
};

/** Pairs a declaration with its handler; the payload goes through the declaration's `parse` first. */
export function registerHandler<T>(job: Job<T>, handler: JobHandler<T>): RegisteredHandler {
  return {
    job: job as Job<unknown>,
    invoke: (payload, run) => handler(payload as T, run),
  };
}
