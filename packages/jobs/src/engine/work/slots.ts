import type { ClaimedJob } from '../../sql/jobs/claim-jobs.ts';
import { releaseJobs } from '../../sql/jobs/leases.ts';
import type { Sql } from '../../sql/statement.ts';
import type { RegisteredHandler } from '../handler.ts';
import type { HeldJob, HeldJobs } from './held-jobs.ts';
import type { Prefetch } from './prefetch.ts';

/** Claimed jobs of one worker: running ones, and prefetched ones that wait in memory for a slot. */
export type Slots = {
  running(): number;
  waiting(): number;
  /** Returns the number of slots without a running or a waiting job; negative while more jobs wait than slots are free. */
  free(): number;
  /** Adds claimed jobs to the waiting ones. */
  hold(rows: readonly ClaimedJob[]): void;
  /** Starts waiting jobs while slots are free. */
  fill(): void;
  /** Releases jobs that have waited for longer than `ageMs`. */
  releaseWaiting(ageMs: number): Promise<void>;
  /** Prevents further starts. The caller must release the waiting jobs. */
  close(): void;
};

export type SlotsDeps = {
  readonly sql: Sql;
  readonly queue: string;
  /** Number of slots. */
  readonly concurrency: number;
  readonly handlers: ReadonlyMap<string, RegisteredHandler>;
  readonly held: HeldJobs;
  readonly prefetch: Prefetch;
  /** Runs a job to its end in any final state; never rejects. */
  readonly execute: (held: HeldJob) => Promise<void>;
  /** Called after a job has ended and its slot was filled again. */
  readonly onEnded: () => void;
};

export function createSlots(deps: SlotsDeps): Slots {
  const { prefetch } = deps;
  let waiting: HeldJob[] = [];
  let runningCount = 0;
  let isClosed = false;

  const start = (held: HeldJob) => {
    runningCount += 1;
    const startedAtMs = performance.now();
    void deps.execute(held).then(() => {
      runningCount -= 1;
      prefetch.observe(performance.now() - startedAtMs);
      fill();
      deps.onEnded();
    });
  };

  const fill = () => {
    while (!isClosed && runningCount < deps.concurrency) {
      const next = waiting.shift();
      if (!next) return;
      start(next);
    }
  };

  return {
    running: () => runningCount,
    waiting: () => waiting.length,
    free: () => deps.concurrency - runningCount - waiting.length,
    hold: (rows) => {
      for (const row of rows) {
        const handler = deps.handlers.get(row.name);
        // The claim requests only names of the map.
        if (handler) waiting.push(deps.held.add(row, deps.queue, handler));
      }
    },
    fill,
    releaseWaiting: async (ageMs) => {
      const oldest = performance.now() - ageMs;
      const expired = waiting.filter((held) => held.claimedAtMs <= oldest);
      if (expired.length === 0) return;
      waiting = waiting.filter((held) => held.claimedAtMs > oldest);
      prefetch.reset();
      for (const held of expired) deps.held.remove(held);
      await releaseJobs(
        deps.sql,
        expired.map((held) => held.row),
      );
    },
    close: () => {
      isClosed = true;
    },
  };
}
