import { hmac, type KeyRing } from '../../platform/crypto/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { conflict, notFound } from '../../platform/http/index.ts';
import type { ChangeSubject, QueryReview, WaitingChange } from '../approvals/index.ts';
import type { Audit } from '../audit/index.ts';
import {
  activateVersion,
  endPendingVersion,
  findQuery,
  findStoredVersion,
  holdSources,
  lockQueryRow,
  type StoredVersion,
} from '../queries/index.ts';
import { pinTool } from '../query-tools/index.ts';

/**
 * Creates the decisions about a definition. An approved definition becomes active. A rejected one remains a version.
 */
export function createQuerySubject({
  keys,
  audit,
}: {
  readonly keys: KeyRing;
  readonly audit: Audit;
}): ChangeSubject<QueryReview> {
  const proposedOf = async (executor: Executor, { versionId }: WaitingChange): Promise<StoredVersion> => {
    const proposed = versionId === null ? undefined : await findStoredVersion(executor, versionId);
    if (!proposed) throw notFound();
    return proposed;
  };

  return {
    lock: lockQueryRow,
    review: async (executor, change) => {
      const proposed = await proposedOf(executor, change);
      const activeVersionId = (await findQuery(executor, change.targetId))?.activeVersionId ?? null;
      const active =
        activeVersionId === null ? undefined : await findStoredVersion(executor, activeVersionId);
      const sides = [proposed.hash, active?.hash ?? '', `${proposed.id} ${activeVersionId}`];
      return { activeVersionId, looksEqual: false, stamp: hmac(keys, 'approval-hash', sides) };
    },
    approve: async (tx, change, by) => {
      const query = await findQuery(tx, change.targetId);
      if (!query) throw notFound();
      const proposed = await proposedOf(tx, change);
      if (proposed.status !== 'PendingApproval' || proposed.hash !== change.proposedHash)
        throw conflict('change-stale', 'The definition is not what was submitted. It must be saved again.');
      await holdSources(tx, query.projectId, proposed);
      await activateVersion(tx, query.id, proposed);
      // Published queries run the approved version.
      await pinTool(tx, query.id, proposed.id);
      await audit.record(tx, {
        by,
        event: 'queries.query_changed',
        subject: { kind: 'query', id: query.id },
        projectId: query.projectId,
        detail: { versionNumber: proposed.versionNumber, approvalId: change.id },
      });
    },
    reject: (tx, change) => endPendingVersion(tx, change.targetId, 'Rejected'),
  };
}
