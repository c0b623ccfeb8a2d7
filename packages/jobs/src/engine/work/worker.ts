import type { Sql } from '../../sql/statement.ts';
import type { RegisteredHandler } from '../handler.ts';
import type { JobsLogger } from '../logger.ts';
import { startLoop } from '../loop.ts';
import { createClaims, declaresLimits, type QueueRules } from './claims.ts';
import type { HeldJob, HeldJobs } from './held-jobs.ts';
import { createPrefetch } from './prefetch.ts';
import { createSlots } from './slots.ts';
import type { Turns } from './turns.ts';

/** Claims the jobs of one queue and runs as many as its limits allow. */
export type Worker = {
  readonly id: string;
  readonly queue: string;
  readonly concurrency: number;
  running(): number;
  /** Returns true when the queue has a limit that all processes share. */
  isLimited(): boolean;
  /** Claims jobs immediately. */
  wake(): void;
  /** Sets the rules that apply to the whole queue. */
  setRules(rules: QueueRules): void;
  /** Releases jobs that have waited in memory for longer than `ageMs`. */
  releaseWaiting(ageMs: number): Promise<void>;
  /** Stops claims and starts; resolves when the current claim has ended. The caller must release the waiting jobs. */
  stopClaiming(): Promise<void>;
};

export type WorkerDeps = {
  readonly id: string;
  readonly sql: Sql;
  readonly queue: string;
  readonly concurrency: number;
  readonly prefetchMax: number;
  readonly handlers: ReadonlyMap<string, RegisteredHandler>;
  readonly held: HeldJobs;
  readonly leaseMs: number;
  readonly logger: JobsLogger;
  /** Shared by the workers of a process. Their claims run one at a time, on few sessions with prepared plans. */
  readonly turns: Turns;
  /** Called after a claim of jobs with a rate limit: their interval may be full, so its end must be scheduled. */
  readonly onRateUsed: () => void;
  /** Runs a job to its end in any final state; never rejects. */
  readonly execute: (held: HeldJob) => Promise<void>;
};

export function startWorker(deps: WorkerDeps): Worker {
  const { queue, concurrency } = deps;
  // No claims before the first `setRules`: pauses and limits are not loaded yet.
  let rules: QueueRules = { isPaused: true, limit: null, hasLimitedJobs: declaresLimits(deps.handlers) };
  let isStopped = false;
  let isHinted = true;
  // A full claim suggests that more jobs wait. Then a free slot is reason enough for another claim.
  let mayHaveMore = false;
  let isWakePlanned = false;

  /** Runs at the end of the current turn of the event loop, so one claim refills all slots that the turn freed. */
  const wakeAsPlanned = () => {
    isWakePlanned = false;
    loop.wake();
  };
  const planWake = () => {
    if (isWakePlanned || !(mayHaveMore || isHinted) || !prefetch.wants(slots.waiting())) return;
    isWakePlanned = true;
    process.nextTick(wakeAsPlanned);
  };

  const prefetch = createPrefetch(concurrency, deps.prefetchMax);
  const slots = createSlots({
    sql: deps.sql,
    queue,
    concurrency,
    handlers: deps.handlers,
    held: deps.held,
    prefetch,
    execute: deps.execute,
    onEnded: planWake,
  });
  const claims = createClaims({
    sql: deps.sql,
    queue,
    workerId: deps.id,
    leaseMs: deps.leaseMs,
    prefetchMax: deps.prefetchMax,
    handlers: deps.handlers,
    rules: () => rules,
    slots,
    prefetch,
    turns: deps.turns,
    onRateUsed: deps.onRateUsed,
  });
  const loop = startLoop(`claim from ${queue}`, deps.logger, async () => {
    while (!isStopped && !rules.isPaused) {
      if (!claims.hasRoom() || !(isHinted || mayHaveMore)) return null;
      isHinted = false;
      // Stays true when the claim fails, so that the loop's next run claims again.
      mayHaveMore = true;
      mayHaveMore = await claims.claim();
    }
    return null;
  });

  return {
    id: deps.id,
    queue,
    concurrency,
    running: slots.running,
    isLimited: () => rules.limit !== null,
    wake: () => {
      isHinted = true;
      loop.wake();
    },
    setRules: (next) => {
      const isResumed = rules.isPaused && !next.isPaused;
      rules = next;
      if (isResumed) isHinted = true;
      if (isHinted) loop.wake();
    },
    releaseWaiting: slots.releaseWaiting,
    stopClaiming: async () => {
      isStopped = true;
      slots.close();
      await loop.stop();
    },
  };
}
