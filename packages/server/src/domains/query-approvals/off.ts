import { systemCaller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ChangeRequests } from '../approvals/index.ts';
import type { Audit } from '../audit/index.ts';
import {
  activateVersion,
  endPendingVersion,
  findQuery,
  findStoredVersion,
  lockQueryRow,
} from '../queries/index.ts';
import { waitingQueryIds } from './store.ts';

export type OffDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly requests: ChangeRequests;
  readonly log: Pick<Logger, 'warn'>;
};

/** Actor of changes that the service makes without a user. */
const system = { caller: systemCaller } as const;

/**
 * Ends waiting versions when the workflow no longer covers queries, because no approver would decide about them. A
 * version that would change a definition is withdrawn. If a query has no other definition, its version becomes active,
 * because the query could not run otherwise.
 */
export async function endWaitingVersions({ database, audit, requests, log }: OffDeps): Promise<void> {
  const end = async (tx: Tx, queryId: number): Promise<'activated' | 'withdrawn' | undefined> => {
    await lockQueryRow(tx, queryId);
    const waiting = await requests.waitingFor(tx, 'Query', queryId);
    if (!waiting) return undefined;
    const activeVersionId = (await findQuery(tx, queryId))?.activeVersionId ?? null;
    await requests.withdraw(tx, system, waiting, 'WorkflowOff', { activeVersionId, looksEqual: false });
    const version =
      activeVersionId !== null || waiting.versionId === null
        ? undefined
        : await findStoredVersion(tx, waiting.versionId);
    if (!version) {
      await endPendingVersion(tx, queryId, 'Withdrawn');
      return 'withdrawn';
    }
    await activateVersion(tx, queryId, version);
    await audit.record(tx, {
      by: system,
      event: 'queries.query_changed',
      subject: { kind: 'query', id: queryId },
      detail: { versionNumber: version.versionNumber, reason: 'WorkflowOff' },
    });
    return 'activated';
  };

  const counts = { withdrawn: 0, activated: 0 };
  for (const queryId of await waitingQueryIds(database)) {
    const ended = await database.transaction((tx) => end(tx, queryId));
    if (ended) counts[ended] += 1;
  }
  if (counts.withdrawn + counts.activated > 0)
    log.warn(counts, 'versions of queries waited for an approval that nobody has to give any more');
}
