import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText } from '../../errors.ts';
import {
  type AttemptEnd,
  endAttempts,
  type RecordedEnds,
  type Retention,
} from '../../sql/jobs/end-attempts.ts';
import type { Sql } from '../../sql/statement.ts';
import { createBackoff } from '../backoff.ts';
import type { JobsLogger } from '../logger.ts';

/** Maximum number of ends per statement. */
const batchMax = 1_000;

/** Records ends of attempts in batches. */
export type Finisher = {
  /** Adds an end to record. */
  add(end: AttemptEnd): void;
  /** Resolves when all added ends are recorded or abandoned. */
  drained(): Promise<void>;
  /** Discards all ends that are not yet recorded. */
  abandon(): void;
};

export type FinisherDeps = {
  readonly sql: Sql;
  readonly retention: Retention;
  readonly logger: JobsLogger;
  /** Called for each batch with its ends and the result: which ends were recorded, because their claim was still current. */
  readonly onRecorded: (ends: readonly AttemptEnd[], recorded: RecordedEnds) => void;
};

/** Returns true when PostgreSQL refused the data itself. A retry with the same data fails again. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('22');
}

/**
 * Creates a finisher. It records an end immediately when no statement is active. Ends that arrive during a statement
 * share the next one: a single job has no delay, and batches grow with the load.
 *
 * While the database is unavailable, ends are retained and retried. An outage shorter than the lease loses no
 * completion.
 */
export function createFinisher(deps: FinisherDeps): Finisher {
  const backoff = createBackoff(5_000);
  let waiting: AttemptEnd[] = [];
  let flushing: Promise<void> | null = null;
  let isAbandoned = false;
  let wakeFromWait: (() => void) | null = null;

  const record = async (ends: readonly AttemptEnd[]) => {
    const recorded = await endAttempts(deps.sql, ends, deps.retention);
    deps.onRecorded(ends, recorded);
  };

  const recordSingly = async (ends: readonly AttemptEnd[]) => {
    for (const end of ends) {
      try {
        await record([end]);
      } catch (error) {
        if (!isDataError(error)) throw error;
        deps.logger.error(
          { jobId: end.id, error: errorText(error) },
          'the end of a job could not be recorded',
        );
        deps.onRecorded([end], { recordedIds: new Set(), isAwaited: false });
      }
    }
  };

  const pause = async (waitMs: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wakeFromWait = resolve;
    const timer = setTimeout(resolve, waitMs);
    await promise;
    clearTimeout(timer);
    wakeFromWait = null;
  };

  const flush = async () => {
    while (waiting.length > 0 && !isAbandoned) {
      // Waits one turn of the event loop: jobs that end in the same turn share a statement.
      await nextTurn();
      const ends = waiting.splice(0, batchMax);
      try {
        await (ends.length === 1 ? recordSingly(ends) : record(ends));
        backoff.reset();
      } catch (error) {
        if (isDataError(error)) {
          await recordSingly(ends).catch(() => waiting.unshift(...ends));
          continue;
        }
        waiting.unshift(...ends);
        const waitMs = backoff.next();
        deps.logger.warn(
          { count: waiting.length, error: errorText(error), retryInMs: Math.round(waitMs) },
          'ends of jobs could not be recorded yet',
        );
        await pause(waitMs);
      }
    }
    flushing = null;
  };

  return {
    add: (end) => {
      waiting.push(end);
      flushing ??= flush();
    },
    drained: async () => {
      while (flushing !== null) await flushing;
    },
    abandon: () => {
      isAbandoned = true;
      waiting = [];
      wakeFromWait?.();
    },
  };
}
