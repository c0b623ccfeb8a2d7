import { claimInTurn } from '../../sql/jobs/claim-in-turn.ts';
import { claimJobs } from '../../sql/jobs/claim-jobs.ts';
import type { Sql } from '../../sql/statement.ts';
import type { RegisteredHandler } from '../handler.ts';
import type { Prefetch } from './prefetch.ts';
import type { Slots } from './slots.ts';
import type { Turns } from './turns.ts';

/** Rules of a queue, valid in all processes. */
export type QueueRules = {
  readonly isPaused: boolean;
  /** Maximum number of the queue's running jobs across all processes; null without a limit. */
  readonly limit: number | null;
  /** True when jobs with a concurrency key wait. */
  readonly hasLimitedJobs: boolean;
};

/** Claims of one worker. */
export type Claims = {
  /** Returns true when a claim may take at least one job. */
  hasRoom(): boolean;
  /** Claims once; returns true when more jobs may wait. */
  claim(): Promise<boolean>;
};

export type ClaimsDeps = {
  readonly sql: Sql;
  readonly queue: string;
  readonly workerId: string;
  readonly leaseMs: number;
  readonly prefetchMax: number;
  readonly handlers: ReadonlyMap<string, RegisteredHandler>;
  /** Returns the current rules. They may change during a claim. */
  readonly rules: () => QueueRules;
  readonly slots: Slots;
  readonly prefetch: Prefetch;
  /** Shared by the workers of a process. Their claims run one at a time, on few sessions with prepared plans. */
  readonly turns: Turns;
  /** Called after a claim of jobs with a rate limit: their interval may be full, so its end must be scheduled. */
  readonly onRateUsed: () => void;
};

/** Returns true when a declaration of a handler limits its concurrency or its rate. */
export const declaresLimits = (handlers: ReadonlyMap<string, RegisteredHandler>): boolean =>
  [...handlers.values()].some(({ job }) => job.concurrency !== null || job.rateLimit !== null);

export function createClaims(deps: ClaimsDeps): Claims {
  const { sql, slots, prefetch, turns, rules } = deps;
  const names = [...deps.handlers.keys()];
  const hasDeclaredLimits = declaresLimits(deps.handlers);
  const rates = [...deps.handlers.values()].flatMap(({ job: { name, rateLimit } }) =>
    rateLimit ? [{ name, limit: rateLimit.limit, intervalMs: rateLimit.intervalMs }] : [],
  );
  let isLimitedNext = false;

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
    const count = slots.free();
    if (count <= 0) return false;
    const rows = await turns.take(() =>
      claimInTurn(sql, { ...options(count), queueLimit: rules().limit, rates }),
    );
    slots.hold(rows);
    slots.fill();
    if (rows.some((row) => rates.some(({ name }) => name === row.name))) deps.onRateUsed();
    return rows.length === count;
  };

  /**
   * Returns the number of jobs that another claim without a limit may take: none while all slots are busy and enough
   * jobs wait. Waiting jobs are not subtracted from the prefetch: small claims are not worth their cost.
   */
  const unlimitedRoom = (): number => {
    const free = Math.max(slots.free(), 0);
    return free > 0 || prefetch.wants(slots.waiting())
      ? Math.min(free + prefetch.count(), Math.max(free, deps.prefetchMax))
      : 0;
  };

  const claimUnlimited = async (): Promise<boolean> => {
    const count = unlimitedRoom();
    if (count <= 0) return false;
    const rows = await turns.take(() => claimJobs(sql, options(count)));
    slots.hold(rows);
    const isFull = rows.length === count;
    // The next claim is sent first: the jobs of this claim run while PostgreSQL processes the next.
    if (isFull) setImmediate(slots.fill);
    else slots.fill();
    return isFull;
  };

  return {
    hasRoom: () => (rules().limit === null ? unlimitedRoom() : slots.free()) > 0,
    claim: async () => {
      if (rules().limit !== null) return claimLimited();
      // The two kinds of jobs alternate in being claimed first, so that neither blocks the other.
      isLimitedNext = !isLimitedNext;
      const takesLimited = hasDeclaredLimits || rules().hasLimitedJobs;
      const isFullBefore = takesLimited && isLimitedNext && (await claimLimited());
      const isFull = await claimUnlimited();
      const isFullAfter = takesLimited && !isLimitedNext && (await claimLimited());
      return isFull || isFullBefore || isFullAfter;
    },
  };
}
