import { claimInTurn } from '../../sql/jobs/claim-in-turn.ts';
import { type ClaimedJob, claimJobs } from '../../sql/jobs/claim-jobs.ts';
import { releaseJobs } from '../../sql/jobs/leases.ts';
import type { Sql } from '../../sql/statement.ts';
import type { RegisteredHandler } from '../handler.ts';
import type { JobsLogger } from '../logger.ts';
import { startLoop } from '../loop.ts';
import type { HeldJob, HeldJobs } from './held-jobs.ts';
import { createPrefetch } from './prefetch.ts';
import type { Turns } from './turns.ts';

/** Claims the jobs of one queue and runs as many as its limits allow. */
export type Worker = {
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

/** Rules of a queue, valid in all processes. */
export type QueueRules = {
  readonly isPaused: boolean;
  /** Maximum number of the queue's running jobs across all processes; null without a limit. */
  readonly limit: number | null;
  /** True when jobs with a concurrency key wait. */
  readonly hasLimitedJobs: boolean;
};

export type WorkerDeps = {
  readonly sql: Sql;
  readonly queue: string;
  readonly concurrency: number;
  readonly prefetchMax: number;
  readonly handlers: ReadonlyMap<string, RegisteredHandler>;
  readonly held: HeldJobs;
  readonly workerId: string;
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
  const names = [...deps.handlers.keys()];
  const declared = [...deps.handlers.values()].map(({ job }) => job);
  const declaresLimits = declared.some((job) => job.concurrency !== null || job.rateLimit !== null);
  const rates = declared.flatMap(({ name, rateLimit }) =>
    rateLimit ? [{ name, limit: rateLimit.limit, intervalMs: rateLimit.intervalMs }] : [],
  );
  const prefetch = createPrefetch(deps.concurrency, deps.prefetchMax);
  let waiting: HeldJob[] = [];
  let runningCount = 0;
  // No claims before the first `setRules`: pauses and limits are not loaded yet.
  let rules: QueueRules = { isPaused: true, limit: null, hasLimitedJobs: declaresLimits };
  let isTurnFirst = false;
  let isStopped = false;
  let isHinted = true;
  // A full claim suggests that more jobs wait. Then a free slot is reason enough for another claim.
  let mayHaveMore = false;
  let isWakePlanned = false;

  const start = (held: HeldJob) => {
    runningCount += 1;
    const startedAtMs = performance.now();
    void deps.execute(held).then(() => {
      runningCount -= 1;
      prefetch.observe(performance.now() - startedAtMs);
      pump();
      if (!isWakePlanned && (mayHaveMore || isHinted) && prefetch.wants(waiting.length)) {
        isWakePlanned = true;
        process.nextTick(wakeWhenWanted);
      }
    });
  };

  /** Runs at the end of the current turn of the event loop, so one claim refills all slots that the turn freed. */
  const wakeWhenWanted = () => {
    isWakePlanned = false;
    loop.wake();
  };

  const pump = () => {
    // A stop releases the waiting jobs.
    while (!isStopped && runningCount < deps.concurrency) {
      const next = waiting.shift();
      if (!next) return;
      start(next);
    }
  };

  const hold = (rows: readonly ClaimedJob[]) => {
    for (const row of rows) {
      const handler = deps.handlers.get(row.name);
      // The claim requests only names of the map.
      if (handler) waiting.push(deps.held.add(row, deps.queue, handler));
    }
  };

  const releaseWaiting = async (ageMs: number) => {
    const oldest = performance.now() - ageMs;
    const old = waiting.filter((held) => held.claimedAtMs <= oldest);
    if (old.length === 0) return;
    waiting = waiting.filter((held) => held.claimedAtMs > oldest);
    prefetch.reset();
    for (const held of old) deps.held.remove(held);
    await releaseJobs(
      deps.sql,
      old.map((held) => held.row),
    );
  };

  const options = (count: number) => ({
    queue: deps.queue,
    names,
    count,
    leaseMs: deps.leaseMs,
    workerId: deps.workerId,
  });

  /**
   * Claims jobs that share a limit with other processes; returns true when more may wait. Never prefetches them: other
   * processes may be free to run them.
   */
  const claimLimited = async (): Promise<boolean> => {
    const count = freeSlots();
    if (count <= 0) return false;
    const rows = await deps.turns.take(() =>
      claimInTurn(deps.sql, { ...options(count), queueLimit: rules.limit, rates }),
    );
    hold(rows);
    pump();
    if (rows.some((row) => rates.some(({ name }) => name === row.name))) deps.onRateUsed();
    return rows.length === count;
  };

  const freeSlots = () => deps.concurrency - runningCount - waiting.length;

  /**
   * Returns the number of jobs that another claim without a limit may take: none while all slots are busy and enough
   * jobs wait. Waiting jobs are not subtracted from the prefetch: small claims are not worth their cost.
   */
  const unlimitedRoom = (): number => {
    const free = Math.max(freeSlots(), 0);
    return free > 0 || prefetch.wants(waiting.length)
      ? Math.min(free + prefetch.count(), Math.max(free, deps.prefetchMax))
      : 0;
  };

  const claimUnlimited = async (): Promise<boolean> => {
    const count = unlimitedRoom();
    if (count <= 0) return false;
    const rows = await deps.turns.take(() => claimJobs(deps.sql, options(count)));
    hold(rows);
    const isFull = rows.length === count;
    // The next claim is sent first: the jobs of this claim run while PostgreSQL processes the next.
    if (isFull) setImmediate(pump);
    else pump();
    return isFull;
  };

  /** Claims once; returns true when more jobs may wait. */
  const claim = async (): Promise<boolean> => {
    if (rules.limit !== null) return claimLimited();
    // The two kinds of jobs alternate in being claimed first, so that neither blocks the other.
    isTurnFirst = !isTurnFirst;
    const takesLimited = declaresLimits || rules.hasLimitedJobs;
    const isFullBefore = takesLimited && isTurnFirst && (await claimLimited());
    const isFull = await claimUnlimited();
    const isFullAfter = takesLimited && !isTurnFirst && (await claimLimited());
    return isFull || isFullBefore || isFullAfter;
  };

  const loop = startLoop(`claim from ${deps.queue}`, deps.logger, async () => {
    while (!isStopped && !rules.isPaused) {
      const isRoom = (rules.limit === null ? unlimitedRoom() : freeSlots()) > 0;
      if (!isRoom || !(isHinted || mayHaveMore)) return null;
      isHinted = false;
      // Stays true when the claim fails, so that the loop's next run claims again.
      mayHaveMore = true;
      mayHaveMore = await claim();
    }
    return null;
  });

  return {
    queue: deps.queue,
    concurrency: deps.concurrency,
    running: () => runningCount,
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
    releaseWaiting,
    stopClaiming: async () => {
      isStopped = true;
      await loop.stop();
    },
  };
}
