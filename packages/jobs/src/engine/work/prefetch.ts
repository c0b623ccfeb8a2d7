/** Amount of work that one claim prefetches, as a duration: about the time of a few claims. */
const aheadMs = 50;
/** Maximum mean duration of prefetched jobs. Longer jobs are never prefetched: another process may have a free slot. */
const shortJobMs = 20;
/** Weight of the newest job in the mean. The first jobs have equal weights, so a cold start has no lasting effect. */
const newestWeight = 0.1;
/**
 * Limit of one job's effect on the mean: this factor times the mean, plus 1 ms. One pause of the process affects all
 * running jobs. About thirty consecutive long jobs still raise the mean.
 */
const growthMax = 2;

/** Prefetch rule of a worker. At most twice the prefetch of one claim waits at a time. */
export type Prefetch = {
  /** Records the duration of a job. */
  observe(durationMs: number): void;
  /** Returns the number of jobs that a claim takes beyond the free slots. */
  count(): number;
  /** Returns true when at most one claim's prefetch waits, so the next claim may run while these jobs run. */
  wants(waiting: number): boolean;
  /** Discards the recorded durations. Called when jobs had to be released. */
  reset(): void;
};

/**
 * Creates the prefetch rule of a worker. With short jobs, the worker claims more jobs than it can start, so its slots
 * do not wait for the next claim. It prefetches nothing before the first recorded duration or when jobs are long.
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
      const previousMeanMs = meanMs ?? durationMs;
      const weight = Math.max(newestWeight, 1 / seen);
      const counted =
        weight > newestWeight ? durationMs : Math.min(durationMs, growthMax * previousMeanMs + 1);
      meanMs = previousMeanMs + weight * (counted - previousMeanMs);
    },
    count,
    wants: (waiting) => waiting <= count(),
    reset: () => {
      meanMs = null;
      seen = 0;
    },
  };
}
