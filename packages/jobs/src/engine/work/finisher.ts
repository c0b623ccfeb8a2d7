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

/** Ends recorded by one statement at most. */
const batchMax = 1_000;

/** Records ends of attempts, many in one statement. */
export type Finisher = {
  /** Takes an end to record. */
  add(end: AttemptEnd): void;
  /** Resolves when everything that was taken so far is recorded or given up. */
  drained(): Promise<void>;
  /** Gives up what is still waiting to be recorded. */
  abandon(): void;
};

export type FinisherDeps = {
  readonly sql: Sql;
  readonly retention: Retention;
  readonly logger: JobsLogger;
  /** Told of each batch: which ends were taken, and those of them that were still ours. */
  readonly onRecorded: (ends: readonly AttemptEnd[], recorded: RecordedEnds) => void;
};

/** Whether PostgreSQL refused what was sent, rather than not answering: trying again changes nothing. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('22');
}

/**
 * Ends are recorded at once when nothing is being recorded; what ends meanwhile goes together in the next statement.
 * So a lone job waits for nobody, and under load the batches grow by themselves. While the database is away they are
 * kept and tried again: a short outage loses no completion, since the lease outlives it.
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
      // One turn of the event loop: what ends together is recorded together.
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
