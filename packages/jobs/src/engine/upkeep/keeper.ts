import { type Claim, renewLeases } from '../../sql/jobs/leases.ts';
import { reportServer, type ServerReport } from '../../sql/servers.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { HeldJobs } from '../work/held-jobs.ts';

/** Maximum number of claims per statement. */
const renewMax = 1_000;

export type KeeperDeps = {
  readonly sql: Sql;
  readonly held: HeldJobs;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly logger: JobsLogger;
  readonly describe: () => ServerReport;
};

/**
 * Renews the leases of all jobs of the process at a fixed interval of a monotonic timer. Aborts jobs whose lease was
 * lost or whose cancellation was requested, and reports that the process is alive.
 */
export function startKeeper(deps: KeeperDeps): Loop {
  const renew = async (claims: readonly Claim[]) => {
    for (const lease of await renewLeases(deps.sql, claims, deps.leaseMs)) {
      const held = deps.held.get(lease.id);
      // The job may have ended, or this process may have claimed it again, while the statement ran.
      if (!held || held.row.fence !== lease.fence) continue;
      // The handler has ended and its end is recorded or pending. The lease ended with it, so there is nothing to abort.
      if (held.isOver) continue;
      if (!lease.is_current) {
        deps.logger.warn({ jobId: lease.id }, 'the lease of a running job was lost');
        held.abort('LeaseLost');
      } else if (lease.is_cancel_requested) {
        held.abort('Cancelled');
      }
    }
  };

  return startLoop(
    'renew leases',
    deps.logger,
    async () => {
      const claims = deps.held.all().map((held) => ({ id: held.row.id, fence: held.row.fence }));
      for (let from = 0; from < claims.length; from += renewMax) {
        await renew(claims.slice(from, from + renewMax));
      }
      await reportServer(deps.sql, deps.describe());
      return deps.heartbeatMs;
    },
    { retryWaitMsMax: deps.heartbeatMs },
  );
}
