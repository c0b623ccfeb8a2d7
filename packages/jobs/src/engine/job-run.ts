import type { Executor } from '../executor.ts';
import { isClaimCurrent } from '../sql/leases.ts';
import type { Sql } from '../sql/statement.ts';
import type { JobRun } from './handler.ts';
import type { HeldJob } from './held-jobs.ts';
import type { RunNotes } from './run-notes.ts';

export type JobRunDeps = {
  readonly sql: Sql;
  readonly notes: RunNotes;
  readonly completeIn: (held: HeldJob, executor: Executor) => Promise<void>;
};

/** Makes what the handler of a held job is given. */
export function createJobRun(deps: JobRunDeps, held: HeldJob): JobRun {
  const { row } = held;
  return {
    jobId: row.id,
    attempt: row.attempt,
    attemptsMax: row.attempts_max,
    traceId: row.trace_id,
    spawnedBy: row.spawned_by,
    batchId: row.batch_id,
    dueAt: new Date(row.due_ms),
    scheduleKey: row.schedule_key,
    metadata: row.metadata,
    get signal() {
      return held.signal;
    },
    fence: row.fence,
    isCurrent: () => isClaimCurrent(deps.sql, row),
    completeIn: (executor) => deps.completeIn(held, executor),
    log: (message, level = 'info') => deps.notes.addLine(row, level, message),
    progress: (share, text) => deps.notes.setProgress(row, share, text ?? null),
  };
}
