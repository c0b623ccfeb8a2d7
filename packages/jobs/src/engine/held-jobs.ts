import { type AbortCause, JobAbortError } from '../errors.ts';
import type { ClaimedJob } from '../sql/claim-jobs.ts';
import type { RegisteredHandler } from './handler.ts';

/** A job that this process holds the lease of, from its claim until its end is recorded. */
export type HeldJob = {
  readonly row: ClaimedJob;
  readonly queue: string;
  readonly handler: RegisteredHandler;
  readonly controller: AbortController;
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  /** Monotonic time at which its handler began; null as long as it waits in memory. */
  startedAtMs: number | null;
  /** Why its signal was aborted: the first cause stays. */
  abortCause: AbortCause | null;
};

/** All jobs held by the process, by id. */
export type HeldJobs = {
  add(row: ClaimedJob, queue: string, handler: RegisteredHandler): HeldJob;
  remove(held: HeldJob): void;
  get(id: string): HeldJob | undefined;
  all(): HeldJob[];
};

/** Aborts a held job's signal; the first cause stays. */
export function abortHeld(held: HeldJob, cause: AbortCause): void {
  if (held.abortCause) return;
  held.abortCause = cause;
  held.controller.abort(new JobAbortError(cause));
}

/** Keeps the book of the jobs that the process holds. */
export function createHeldJobs(): HeldJobs {
  const byId = new Map<string, HeldJob>();
  return {
    add: (row, queue, handler) => {
      const held: HeldJob = {
        row,
        queue,
        handler,
        controller: new AbortController(),
        claimedAtMs: performance.now(),
        startedAtMs: null,
        abortCause: null,
      };
      byId.set(row.id, held);
      return held;
    },
    remove: (held) => {
      // A job that was lost and claimed again by this very process has a newer entry, which stays.
      if (byId.get(held.row.id) === held) byId.delete(held.row.id);
    },
    get: (id) => byId.get(id),
    all: () => [...byId.values()],
  };
}
