import type { QueryApproval, ResultComparison } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { conflict, notFound } from '../../platform/http/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findStoredVersion, type StoredVersion } from '../queries/index.ts';
import { linkedSources } from '../query-versions/index.ts';
import { type ComparingRuns, compareResults } from './compare.ts';
import { presentApproval } from './present.ts';
import { findProjectOf, findUses } from './store.ts';

export type QueryApprovalsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly approvals: Pick<ApprovalsService, 'getOfQuery' | 'approve' | 'reject'>;
  readonly runs: ComparingRuns;
};

export type QueryApprovalsService = ReturnType<typeof createQueryApprovalsService>;

/** Creates the service for approvals of definitions. Approvers see a request regardless of its project. */
export function createQueryApprovalsService({ database, rights, approvals, runs }: QueryApprovalsDeps) {
  const look = async (caller: Caller, id: number) => {
    const request = await approvals.getOfQuery(caller, id);
    const { targetId, versionId } = request.request;
    const project = await findProjectOf(database, targetId);
    const proposed = versionId === null ? undefined : await findStoredVersion(database, versionId);
    if (!project || !proposed) throw notFound();
    const { activeVersionId } = request.review;
    const active = activeVersionId === null ? undefined : await findStoredVersion(database, activeVersionId);
    return { request, projectId: project.id, proposed, active };
  };

  return {
    get: async (caller: Caller, id: number): Promise<QueryApproval> => {
      const { request, projectId, proposed, active } = await look(caller, id);
      const ids = [...proposed.steps, ...(active?.steps ?? [])].map((step) => step.dataSourceId);
      return presentApproval(request, {
        projectId,
        proposed,
        active,
        linked: await linkedSources(database, projectId, ids),
        uses: await findUses(database, request.request.targetId),
        canCompare: await rights.canRead(database, caller, projectId),
      });
    },

    approve: approvals.approve,
    reject: approvals.reject,

    /** Runs both definitions. Only readers of the project may see rows; other callers get 404. */
    compare: async (
      caller: Caller,
      id: number,
      values: Readonly<Record<string, unknown>>,
      signal: AbortSignal,
    ): Promise<ResultComparison> => {
      const { request, projectId, proposed, active } = await look(caller, id);
      await rights.require(database, caller, projectId, 'Read');
      if (request.approvalHash === null)
        throw conflict('change-over', 'This request is over: there is nothing to decide about.');
      const runnable = (version: StoredVersion) => ({
        ...version,
        projectId,
        parameters: [...version.parameters],
      });
      return compareResults(
        runs,
        { caller, domain: id, values, signal },
        active && runnable(active),
        runnable(proposed),
      );
    },
  };
}
