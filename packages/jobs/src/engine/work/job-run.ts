import type { Executor } from '../../client/executor.ts';
import { isClaimCurrent } from '../../sql/jobs/leases.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobRun, LogLevel } from '../handler.ts';
import type { HeldJob } from './held-jobs.ts';
import type { RunNotes } from './run-notes.ts';

export type JobRunDeps = {
  readonly sql: Sql;
  readonly notes: RunNotes;
  readonly completeIn: (held: HeldJob, executor: Executor) => Promise<void>;
};

/**
 * Run of a leased job. Getters create the functions on demand, because most handlers use few of them. Each function
 * works without its receiver.
 */
class HeldJobRun implements JobRun {
  readonly #deps: JobRunDeps;
  readonly #held: HeldJob;

  constructor(deps: JobRunDeps, held: HeldJob) {
    this.#deps = deps;
    this.#held = held;
  }

  get jobId() {
    return this.#held.row.id;
  }
  get attempt() {
    return this.#held.row.attempt;
  }
  get attemptsMax() {
    return this.#held.row.attempts_max;
  }
  get traceId() {
    return this.#held.row.trace_id;
  }
  get spawnedBy() {
    return this.#held.row.spawned_by;
  }
  get batchId() {
    return this.#held.row.batch_id;
  }
  get slotAt() {
    const { slot_ms: slotMs } = this.#held.row;
    return slotMs === null ? null : new Date(slotMs);
  }
  get scheduleKey() {
    return this.#held.row.schedule_key;
  }
  get metadata() {
    return this.#held.row.metadata;
  }
  get signal() {
    return this.#held.signal;
  }
  get fence() {
    return this.#held.row.fence;
  }
  get isCurrent() {
    return () => isClaimCurrent(this.#deps.sql, this.#held.row);
  }
  get completeIn() {
    return (executor: Executor) => this.#deps.completeIn(this.#held, executor);
  }
  get log() {
    return (message: string, level: LogLevel = 'info') =>
      this.#deps.notes.addLine(this.#held.row, level, message);
  }
  get progress() {
    return (share: number, text?: string) =>
      this.#deps.notes.setProgress(this.#held.row, share, text ?? null);
  }
}

export const createJobRun = (deps: JobRunDeps, held: HeldJob): JobRun => new HeldJobRun(deps, held);
