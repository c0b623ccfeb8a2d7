import {
  foldCounters,
  housekeepingMax,
  removeExpiredJobs,
  removeOldRateWindows,
  removeSurplusJobs,
  trimMinuteStatistic,
  trimScheduleTicks,
} from '../../sql/housekeeping.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';

const intervalMs = 30_000;
/** Statements of one kind in a row, so that a large backlog of old rows does not keep out the rest. */
const roundsMax = 50;

async function repeat(work: () => Promise<number>): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) if ((await work()) < housekeepingMax) return;
}

/** Removes what has expired and folds counters, in short statements. */
export function startHousekeeper(sql: Sql, countMax: number | null, logger: JobsLogger): Loop {
  return startLoop('housekeeping', logger, async () => {
    await repeat(() => foldCounters(sql));
    await trimMinuteStatistic(sql);
    await repeat(() => removeExpiredJobs(sql));
    if (countMax !== null) await repeat(() => removeSurplusJobs(sql, countMax));
    await trimScheduleTicks(sql);
    await removeOldRateWindows(sql);
    // Processes that were started together need not do it together.
    return intervalMs * (0.9 + Math.random() / 5);
  });
}
