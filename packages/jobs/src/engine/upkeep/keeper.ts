import { type Claim, renewLeases } from '../../sql/jobs/leases.ts';
import { reportServer, type ServerReport } from '../../sql/servers.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { HeldJobs } from '../work/held-jobs.ts';

/** Claims renewed by one statement. */
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
 * Renews the leases of all held jobs by a monotonic timer, aborts those that were lost or shall be cancelled, and
 * writes that the process is alive.
 */
export function startKeeper(deps: KeeperDeps): Loop {
  const renew = async (claims: readonly Claim[]) => {
    for (const found of await renewLeases(deps.sql, claims, deps.leaseMs)) {
      const held = deps.held.get(found.id);
      // It may have ended, or been claimed anew by this process, while the statement ran.
      if (!held || held.row.fence !== found.fence) continue;
      // Its end is recorded, or about to be: a lease that ended with it is not lost, and there is nothing to abort.
      if (held.isOver) continue;
      if (!found.is_current) {
        deps.logger.warn({ jobId: found.id }, 'the lease of a running job was lost');
        held.abort('LeaseLost');
      } else if (found.is_cancel_requested) {
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
