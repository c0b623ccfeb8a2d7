import { sweepLeases } from '../../sql/jobs/leases.ts';
import { removeDeadServers } from '../../sql/servers.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { EngineSettings } from '../settings.ts';

/** A process is taken for dead after so many leases without a sign of life. */
const deadAfterLeases = 4;

/**
 * Looks for jobs whose lease ran out and puts them back. After a sweep that failed the next one waits a full lease:
 * when the database was away, every lease may have run out, and those who hold them come first to renew them.
 */
export function startSweeper(deps: {
  readonly sql: Sql;
  readonly settings: EngineSettings;
  readonly logger: JobsLogger;
  readonly onGroupsChanged: () => void;
}): Loop {
  const { settings } = deps;
  let holdUntilMs = 0;
  // Processes that were started together need not sweep together.
  const intervalMs = () => settings.sweepIntervalMs * (0.9 + Math.random() / 5);

  return startLoop('sweep leases', deps.logger, async () => {
    const waitMs = holdUntilMs - performance.now();
    if (waitMs > 0) return waitMs;
    try {
      const recovered = await sweepLeases(deps.sql, {
        recoveriesMax: settings.recoveriesMax,
        cancelledMs: settings.retention.cancelledMs,
        failedMs: settings.retention.failedMs,
      });
      await removeDeadServers(deps.sql, settings.leaseMs * deadAfterLeases);
      if (recovered.length > 0) {
        deps.logger.warn({ count: recovered.length }, 'recovered jobs whose worker was lost');
        deps.onGroupsChanged();
      }
      return intervalMs();
    } catch (error) {
      holdUntilMs = performance.now() + settings.leaseMs;
      throw error;
    }
  });
}
