import { sweepRateLimits } from '../platform/rate-limit/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Module } from './module.ts';

const sweepIntervalMs = 3_600_000;
/** Delay of the first sweep, so that a process that restarts more often than once an hour sweeps as well. */
const firstSweepMs = 30_000;
/**
 * Sweep interval of rate-limit counters. A flood leaves one counter per address, and the sweep removes them soon
 * after expiry.
 */
const counterSweepIntervalMs = 120_000;

/**
 * Removes expired records and sends notices of expiry, in every process. A failure is logged, and the next sweep
 * follows.
 */
export function composeUpkeep(
  { database, log }: Infrastructure,
  deps: { readonly sweeps: readonly (() => Promise<unknown>)[] },
): Module {
  let firstSweep: NodeJS.Timeout | undefined;
  let sweep: NodeJS.Timeout | undefined;
  let counterSweep: NodeJS.Timeout | undefined;
  const sweepAll = (): void => {
    Promise.all(deps.sweeps.map((act) => act())).catch((error: unknown) =>
      log.warn({ err: error }, 'expired records could not be removed'),
    );
  };
  return {
    start: () => {
      firstSweep = setTimeout(sweepAll, firstSweepMs).unref();
      sweep = setInterval(sweepAll, sweepIntervalMs).unref();
      counterSweep = setInterval(() => {
        sweepRateLimits(database.pool).catch((error: unknown) =>
          log.warn({ err: error }, 'expired counters could not be removed'),
        );
      }, counterSweepIntervalMs).unref();
    },
    close: () => {
      clearTimeout(firstSweep);
      clearInterval(sweep);
      clearInterval(counterSweep);
    },
  };
}
