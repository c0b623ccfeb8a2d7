import { approvalRoutes, type ChangeRequests, createApprovalsService } from '../domains/approvals/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import {
  createQueryApprovalsService,
  createQuerySubject,
  endWaitingVersions,
  queryApprovalRoutes,
} from '../domains/query-approvals/index.ts';
import type { Notify } from '../domains/realtime/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { QueriesPart } from './queries.ts';
import type { RecipientsPart } from './recipients.ts';

/** Composes approvals: requests to change recipients and queries, and the decisions on them. */
export function composeApprovals(
  ground: Ground,
  deps: {
    readonly notify: Notify;
    readonly requests: ChangeRequests;
    readonly recipients: RecipientsPart;
    readonly queries: QueriesPart;
  },
): Part {
  const { database, audit, keys, log, settings } = ground;
  const { requests } = deps;
  const approvals = createApprovalsService({
    database,
    audit,
    requests,
    subjects: { Recipient: deps.recipients.approvals.subject, Query: createQuerySubject({ keys, audit }) },
    onDecided: deps.notify.approvalUpdated,
  });
  const ofQueries = createQueryApprovalsService({
    database,
    rights: projectRights,
    approvals,
    runs: deps.queries.queries,
  });
  return {
    routes: [...approvalRoutes(approvals), ...queryApprovalRoutes(ofQueries)],
    start: async () => {
      if (!settings.coversQueries) await endWaitingVersions({ database, audit, requests, log });
    },
  };
}
