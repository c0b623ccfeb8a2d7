import {
  approvalRoutes,
  type ChangeRequests,
  createApprovalsService,
} from '../../domains/approvals/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import {
  createQueryApprovalsService,
  createQuerySubject,
  endWaitingVersions,
  queryApprovalRoutes,
} from '../../domains/query-approvals/index.ts';
import type { Notify } from '../../domains/realtime/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { RecipientsModule } from '../runs/recipients.ts';
import type { QueriesModule } from '../sources/queries.ts';

/** Composes approvals: requests to change recipients and queries, and the decisions on them. */
export function composeApprovals(
  infra: Infrastructure,
  deps: {
    readonly notify: Notify;
    readonly requests: ChangeRequests;
    readonly recipients: RecipientsModule;
    readonly queries: QueriesModule;
  },
): Module {
  const { database, audit, keys, log, settings } = infra;
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
