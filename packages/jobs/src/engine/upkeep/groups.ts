import type { Retention } from '../../sql/jobs/end-attempts.ts';
import { endGroups, releaseContinuations } from '../../sql/jobs/settle-groups.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';

/** Looked at this often when nothing hints at it, for what a crash left undecided. */
const intervalMs = 10_000;
/** An end may release a continuation whose cancellation ends a batch, and so on. */
const roundsMax = 100;

/**
 * Ends batches and messages, and decides about continuations, after their members or parents have ended. Nothing is
 * decided in the transaction that ends a job: the pass may run any time later, twice or in two processes.
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
