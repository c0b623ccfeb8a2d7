import type { Retention } from '../../sql/jobs/end-attempts.ts';
import { endGroups, releaseContinuations } from '../../sql/jobs/settle-groups.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';

/** Interval of passes without hints. A pass also settles groups that a crash left unsettled. */
const intervalMs = 10_000;
/** Maximum number of consecutive rounds. A cancelled continuation may end a batch, which may release further continuations. */
const roundsMax = 100;

/**
 * Ends batches and messages after their members, and releases or cancels continuations after their parents. The
 * transaction that ends a job does neither. A pass may run at any later time, twice, or in two processes.
 */
export function startGroups(sql: Sql, retention: Retention, logger: JobsLogger): Loop {
  return startLoop('settle batches and continuations', logger, async () => {
    for (let round = 0; round < roundsMax; round += 1) {
      const changed = (await endGroups(sql, retention)) + (await releaseContinuations(sql, retention));
      if (changed === 0) return intervalMs;
    }
    return 0;
  });
}
