import { sweepRateLimits } from '../platform/rate-limit/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

const sweepIntervalMs = 3_600_000;
/** A flood of addresses leaves a counter each: they go soon after they expire. */
const counterSweepIntervalMs = 120_000;

/** Removes what has expired, in every process by itself; a failure is told, and the next turn comes all the same. */
export function composeUpkeep(
  { database, log }: Ground,
  deps: { readonly sweeps: readonly (() => Promise<unknown>)[] },
): Part {
  let sweep: NodeJS.Timeout | undefined;
  let counterSweep: NodeJS.Timeout | undefined;
  return {
    start: () => {
      sweep = setInterval(() => {
        Promise.all(deps.sweeps.map((act) => act())).catch((error: unknown) =>
          log.warn({ err: error }, 'what has expired could not be removed'),
        );
      }, sweepIntervalMs).unref();
      counterSweep = setInterval(() => {
        sweepRateLimits(database.pool).catch((error: unknown) =>
          log.warn({ err: error }, 'expired counters could not be removed'),
        );
      }, counterSweepIntervalMs).unref();
    },
    close: () => {
      clearInterval(sweep);
      clearInterval(counterSweep);
    },
  };
}
