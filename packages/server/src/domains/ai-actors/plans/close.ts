import type { AiPlanStatus } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import type { ChangeRequests } from '../../approvals/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import type { Notify } from '../../realtime/index.ts';
import { endPlan, findPlan } from './store.ts';

type EndedStatus = Exclude<AiPlanStatus, 'Pending'>;

/** Ends a pending plan and its change request in one transaction. @returns false if the plan had already ended. */
export type ClosePlan = (
  tx: Tx,
  by: CallerActor,
  planId: number,
  end: { readonly status: EndedStatus; readonly comment: string | null },
) => Promise<boolean>;

/** Maps the end of a plan to the four statuses of change requests. */
const requestStatuses = {
  Applied: 'Approved',
  Rejected: 'Rejected',
  RevisionRequested: 'Rejected',
  Withdrawn: 'Withdrawn',
  Expired: 'Withdrawn',
} as const satisfies Record<EndedStatus, string>;

const events = {
  Applied: 'ai_actors.plan_applied',
  Rejected: 'ai_actors.plan_rejected',
  RevisionRequested: 'ai_actors.plan_revision_requested',
  Withdrawn: 'ai_actors.plan_withdrawn',
  Expired: 'ai_actors.plan_expired',
} as const satisfies Record<EndedStatus, string>;

export const createClosePlan =
  (deps: {
    readonly audit: Audit;
    readonly requests: Pick<ChangeRequests, 'decidePlan'>;
    readonly aiPlanChanged: Notify['aiPlanChanged'];
  }): ClosePlan =>
  async (tx, by, planId, { status, comment }) => {
    const plan = await findPlan(tx, planId);
    const { userId, hostUserId = null } = by.caller;
    if (!plan || !(await endPlan(tx, planId, { status, comment, userId, hostUser: hostUserId })))
      return false;
    const { planHash, actorId, projectId, ownerUserId, orderedByUserId } = plan;
    await deps.requests.decidePlan(tx, by, planId, { status: requestStatuses[status], comment, planHash });
    await deps.audit.record(tx, {
      by,
      event: events[status],
      projectId,
      subject: { kind: 'ai_actor', id: actorId },
      detail: { planId, thinkId: plan.thinkId, version: plan.version },
    });
    const userIds = [ownerUserId, orderedByUserId, userId];
    await deps.aiPlanChanged(tx, { actorId, planId, status, userIds });
    return true;
  };
