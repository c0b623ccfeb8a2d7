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
/** Maximum number of consecutive statements of one kind, so that a large backlog does not block the other kinds. */
const roundsMax = 50;

async function repeat(work: () => Promise<number>): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) if ((await work()) < housekeepingMax) return;
}

/** Removes expired rows and folds counters, in short statements. */
export function startHousekeeper(sql: Sql, countMax: number | null, logger: JobsLogger): Loop {
  return startLoop('housekeeping', logger, async () => {
    await repeat(() => foldCounters(sql));
    await trimMinuteStatistic(sql);
    await repeat(() => removeExpiredJobs(sql));
    if (countMax !== null) await repeat(() => removeSurplusJobs(sql, countMax));
    await trimScheduleTicks(sql);
    await removeOldRateWindows(sql);
    // Jitter separates processes that started at the same time.
    return intervalMs * (0.9 + Math.random() / 5);
  });
}
