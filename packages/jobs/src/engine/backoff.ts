/** Shortest delay between two attempts to reach a database that does not respond. */
const firstMs = 1_000;
const longestMs = 30_000;
const factor = 2;

/**
 * Returns a backoff whose delays grow from 1 s to `waitMsMax` (30 s). Each delay is lengthened by up to half at random,
 * so that processes do not retry in step.
 */
export function createBackoff(
  waitMsMax: number = longestMs,
  random: () => number = Math.random,
): { next(): number; reset(): void } {
  let baseMs = firstMs;
  return {
    next: () => {
      const waitMs = baseMs * (1 + random() / 2);
      baseMs = Math.max(firstMs, Math.min(baseMs * factor, waitMsMax));
      return waitMs;
    },
    reset: () => {
      baseMs = firstMs;
    },
  };
}
