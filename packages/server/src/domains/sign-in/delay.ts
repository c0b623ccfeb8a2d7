/** Number of failures within the window that cause no delay. */
const freeFailures = 5;
const firstDelayMs = 250;
const delayMsMax = 4_000;

/**
 * Returns the delay in milliseconds. It doubles with each failure after the free ones, up to a bound that users can
 * tolerate.
 */
export const delayOf = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(firstDelayMs * 2 ** (failures - freeFailures), delayMsMax);
