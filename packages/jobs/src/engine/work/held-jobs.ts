import { type AbortCause, JobAbortError } from '../../errors.ts';
import type { ClaimedJob } from '../../sql/jobs/claim-jobs.ts';
import type { RegisteredHandler } from '../handler.ts';

/** A job that this process holds the lease of, from its claim until its end is recorded. */
export type HeldJob = {
  readonly row: ClaimedJob;
  readonly queue: string;
  readonly handler: RegisteredHandler;
  /** Made when somebody asks for it: most handlers are over sooner than that would take. */
  readonly signal: AbortSignal;
  /** Told of the abort before the signal's listeners; null when nobody is. */
  onAbort: (() => void) | null;
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  /** Monotonic time at which its handler began; null as long as it waits in memory. */
  startedAtMs: number | null;
  /** Its handler is over: only its end is left to be recorded. */
  isOver: boolean;
  /** Why it was aborted: the first cause stays. */
  readonly abortCause: AbortCause | null;
  /** The reason that its signal gives. */
  readonly abortReason: JobAbortError | null;
  /** Aborts its signal; what comes after the first time changes nothing. */
  abort(cause: AbortCause): void;
};

/** All jobs held by the process, by id. */
export type HeldJobs = {
  add(row: ClaimedJob, queue: string, handler: RegisteredHandler): HeldJob;
  remove(held: HeldJob): void;
  get(id: string): HeldJob | undefined;
  all(): HeldJob[];
};

class Held implements HeldJob {
  readonly row: ClaimedJob;
  readonly queue: string;
  readonly handler: RegisteredHandler;
  readonly claimedAtMs = performance.now();
  startedAtMs: number | null = null;
  isOver = false;
  onAbort: (() => void) | null = null;
  abortCause: AbortCause | null = null;
  abortReason: JobAbortError | null = null;
  #controller: AbortController | null = null;

  constructor(row: ClaimedJob, queue: string, handler: RegisteredHandler) {
    this.row = row;
    this.queue = queue;
    this.handler = handler;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    this.#controller = new AbortController();
    if (this.abortReason) this.#controller.abort(this.abortReason);
    return this.#controller.signal;
  }

  abort(cause: AbortCause): void {
    if (this.abortCause) return;
    this.abortCause = cause;
    this.abortReason = new JobAbortError(cause);
    this.onAbort?.();
    this.#controller?.abort(this.abortReason);
  }
}

/** Keeps the book of the jobs that the process holds. */
export function createHeldJobs(): HeldJobs {
  const byId = new Map<string, HeldJob>();
  return {
    add: (row, queue, handler) => {
      const held = new Held(row, queue, handler);
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
