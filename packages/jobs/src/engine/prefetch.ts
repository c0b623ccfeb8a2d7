/** Work that is taken ahead is worth this long: about the time of a few claims. */
const aheadMs = 50;
/** Jobs that take longer than this are never taken ahead: another process may have a free slot for them. */
const shortJobMs = 20;
/** Weight of the newest job in the mean. */
const newestWeight = 0.1;

/** How many jobs a worker takes beyond its free slots. */
export type Prefetch = {
  /** Notes how long a job took. */
  observe(durationMs: number): void;
  /** Jobs to hold beyond the free slots. */
  count(): number;
  /** Whether so few are left that a claim is worth its while. */
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
  const count = () =>
    meanMs === null || meanMs > shortJobMs
      ? 0
      : Math.min(countMax, Math.ceil((concurrency * aheadMs) / Math.max(meanMs, 0.1)));
  return {
    observe: (durationMs) => {
      meanMs = meanMs === null ? durationMs : meanMs + newestWeight * (durationMs - meanMs);
    },
    count,
    wants: (waiting) => waiting <= count() / 2,
    reset: () => {
      meanMs = null;
    },
  };
}
