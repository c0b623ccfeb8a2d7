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

/** Takes the jobs of one queue and keeps as many running as it may. */
export type Worker = {
  readonly queue: string;
  readonly concurrency: number;
  running(): number;
  /** Whether the whole queue has a limit that all processes share. */
  isLimited(): boolean;
  /** Looks for jobs now. */
  wake(): void;
  /** Tells what the whole queue is bound to, and whether jobs wait that have to be claimed in turn. */
  setRules(rules: QueueRules): void;
  /** Gives back what was taken and waits in memory for longer than `ageMs`. */
  releaseWaiting(ageMs: number): Promise<void>;
  /** Takes and starts no more; resolves when a claim under way has come back. What waits is the caller's to give back. */
  stopClaiming(): Promise<void>;
};

/** What holds for a queue in all processes. */
export type QueueRules = {
  readonly isPaused: boolean;
  /** How many of its jobs may run in all processes together; null without a limit. */
  readonly limit: number | null;
  /** Whether jobs with a concurrency key wait. */
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
  /** Shared by the workers of a process: their claims go one at a time, and so use few sessions, whose plans are made. */
  readonly turns: Turns;
  /** Told when jobs with a rate limit were taken: their interval may be full now, and its end is worth a look. */
  readonly onRateUsed: () => void;
  /** Runs a job to its end, whatever comes of it; never rejects. */
  readonly execute: (held: HeldJob) => Promise<void>;
};

/** Starts the worker of one queue. */
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
  // Until the first look at the tables has told of pauses and limits nothing is claimed.
  let rules: QueueRules = { isPaused: true, limit: null, hasLimitedJobs: declaresLimits };
  let isTurnFirst = false;
  let isStopped = false;
  let isHinted = true;
  // A claim that came back full leaves more behind, probably; then a free slot is reason enough to claim again.
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

  /** After everything that ends in this turn: one claim then makes up for all of it. */
  const wakeWhenWanted = () => {
    isWakePlanned = false;
    loop.wake();
  };

  const pump = () => {
    // What still waits when the process stops is given back.
    while (!isStopped && runningCount < deps.concurrency) {
      const next = waiting.shift();
      if (!next) return;
      start(next);
    }
  };

  const hold = (rows: readonly ClaimedJob[]) => {
    for (const row of rows) {
      const handler = deps.handlers.get(row.name);
      // The claim asks for names of the map only.
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
   * Claims jobs that share a limit with other processes; true when more may be there. They are never taken ahead:
   * others may be free to run them.
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
   * Jobs that one more claim may take without a limit: none as long as slots are full and enough wait for them. What
   * waits is not taken off: claims are for many jobs, or not worth their while.
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
    // The next claim goes out first: the jobs of this one run while PostgreSQL takes those of the next.
    if (isFull) setImmediate(pump);
    else pump();
    return isFull;
  };

  /** Claims once; true when more may be there. */
  const claim = async (): Promise<boolean> => {
    if (rules.limit !== null) return claimLimited();
    // The two kinds of jobs take turns at being first, so that neither keeps out the other.
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
