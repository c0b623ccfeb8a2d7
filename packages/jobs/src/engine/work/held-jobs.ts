import { type AbortCause, JobAbortError } from '../../errors.ts';
import type { ClaimedJob } from '../../sql/jobs/claim-jobs.ts';
import type { RegisteredHandler } from '../handler.ts';

/** Job leased by this process, from its claim until its end is recorded. */
export type HeldJob = {
  readonly row: ClaimedJob;
  readonly queue: string;
  readonly handler: RegisteredHandler;
  /** Created on first use, because most handlers end sooner than the creation of a signal takes. */
  readonly signal: AbortSignal;
  /** Called on abort, before the signal's listeners; null without a callback. */
  onAbort: (() => void) | null;
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  /** Monotonic time at which the handler began; null while the job waits in memory. */
  startedAtMs: number | null;
  /** True after the handler ended. Its end may not be recorded yet. */
  isOver: boolean;
  /** First abort cause; null without an abort. */
  readonly abortCause: AbortCause | null;
  /** Abort reason of the signal. */
  readonly abortReason: JobAbortError | null;
  /** Aborts the signal. Later calls have no effect. */
  abort(cause: AbortCause): void;
};

/** All jobs leased by the process, by id. */
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

/** Creates an empty registry of leased jobs. */
export function createHeldJobs(): HeldJobs {
  const byId = new Map<string, HeldJob>();
  return {
    add: (row, queue, handler) => {
      const held = new Held(row, queue, handler);
      byId.set(row.id, held);
      return held;
    },
    remove: (held) => {
      // A job that was lost and claimed again by this process has a newer entry, which must remain.
      if (byId.get(held.row.id) === held) byId.delete(held.row.id);
    },
    get: (id) => byId.get(id),
    all: () => [...byId.values()],
  };
}
