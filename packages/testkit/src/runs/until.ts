const patienceMs = 60_000;
const waitMinMs = 25;
const waitMaxMs = 500;
/** Ratio of a wait to the duration of the preceding check. Checks thus leave the processor to the awaited work. */
const waitPerLook = 4;

/**
 * Polls until `look` returns a value. Throws after 60 s.
 *
 * @param what  description of the awaited value for the error message; a function can include the last state
 */
export async function until<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined>,
): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const beganMs = performance.now();
    const value = await look();
    if (value !== undefined) return value;
    const nowMs = performance.now();
    if (nowMs > endMs) {
      const text = typeof what === 'string' ? what : what();
      throw new Error(`Waited ${patienceMs} ms in vain for ${text}.`);
    }
    const waitMs = Math.min(Math.max((nowMs - beganMs) * waitPerLook, waitMinMs), waitMaxMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
