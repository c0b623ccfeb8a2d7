/** The shortest wait between two tries to reach a database that does not answer. */
const firstMs = 1_000;
const longestMs = 30_000;
const factor = 2;

/** Waits that grow from 1 s to `waitMsMax` (30 s), each made up to half longer at random so that processes do not come in step. */
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
