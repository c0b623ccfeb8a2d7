/** What one claim takes ahead is worth this long: about the time of a few claims. */
const aheadMs = 50;
/** Jobs that take longer than this are never taken ahead: another process may have a free slot for them. */
const shortJobMs = 20;
/** Weight of the newest job in the mean; the first ones weigh alike, so that a cold start does not tell for long. */
const newestWeight = 0.1;
/**
 * No job counts for more than this many times the mean, and a millisecond: one pause of the process meets all jobs
 * that run. Some thirty in a row that did take long are believed.
 */
const growthMax = 2;

/** How many jobs a worker takes beyond its free slots: at most twice what one claim takes wait at a time. */
export type Prefetch = {
  /** Notes how long a job took. */
  observe(durationMs: number): void;
  /** Jobs that a claim takes beyond the free slots. */
  count(): number;
  /** Whether no more wait than one claim takes, so that the next one may be under way while they run. */
  wants(waiting: number): boolean;
  /** Forgets what it learnt, since jobs had to be given back. */
  reset(): void;
};

/**
 * Lets a worker whose jobs are short take more than it can start at once, so that its slots do not wait for the next
 * claim. Learns from the jobs' durations; as long as it knows nothing, or when they are long, it takes none ahead.
 */
export function createPrefetch(concurrency: number, countMax: number): Prefetch {
  let meanMs: number | null = null;
  let seen = 0;
  const count = () =>
    meanMs === null || meanMs > shortJobMs
      ? 0
      : Math.min(countMax, Math.ceil((concurrency * aheadMs) / Math.max(meanMs, 0.1)));
  return {
    observe: (durationMs) => {
      seen += 1;
      const known = meanMs ?? durationMs;
      const weight = Math.max(newestWeight, 1 / seen);
      const counted = weight > newestWeight ? durationMs : Math.min(durationMs, growthMax * known + 1);
      meanMs = known + weight * (counted - known);
    },
    count,
    wants: (waiting) => waiting <= count(),
    reset: () => {
      meanMs = null;
      seen = 0;
    },
  };
}
