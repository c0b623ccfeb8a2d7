const patienceMs = 60_000;
const waitMinMs = 25;
const waitMaxMs = 500;
/** A wait lasts this many times as long as the look before it, so that looks leave the processor to what they wait for. */
const waitPerLook = 4;

/**
 * Looks until something is there.
 *
 * @param what  what is waited for; a function where the message tells what was seen last
 */
export async function until<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined>,
): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const beganMs = performance.now();
    const found = await look();
    if (found !== undefined) return found;
    const nowMs = performance.now();
    if (nowMs > endMs) {
      const text = typeof what === 'string' ? what : what();
      throw new Error(`Waited ${patienceMs} ms in vain for ${text}.`);
    }
    const waitMs = Math.min(Math.max((nowMs - beganMs) * waitPerLook, waitMinMs), waitMaxMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
