import { sweepLeases } from '../../sql/jobs/leases.ts';
import { removeDeadServers } from '../../sql/servers.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { EngineSettings } from '../settings.ts';

/** Number of leases without a heartbeat after which a process counts as dead. */
const deadAfterLeases = 4;

/**
 * Sweeps for jobs with an expired lease and makes them ready again. After a failed sweep the next one waits a full
 * lease. After a database outage all leases may have expired, and their workers must be able to renew them first.
 */
export function startSweeper(deps: {
  readonly sql: Sql;
  readonly settings: EngineSettings;
  readonly logger: JobsLogger;
  readonly onGroupsChanged: () => void;
}): Loop {
  const { settings } = deps;
  let holdUntilMs = 0;
  // Jitter separates processes that started at the same time.
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
