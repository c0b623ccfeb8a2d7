import type { ChangeKind } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor, Queryable, Tx } from '../../platform/db/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import {
  amendChange,
  type ChangeRow,
  endChange,
  findWaiting,
  insertChange,
  type Person,
  replaceHash,
  waitingHashes,
} from './store.ts';
import type { ChangeReview, SubmittedChange, WaitingChange } from './subject.ts';

/** A pending request and its requester. */
export type WaitingRequest = WaitingChange & {
  readonly requestedByUserName: string | null;
  readonly submittedAt: Date;
  readonly isBy: (caller: Caller) => boolean;
};

/** Operations on requests for the domains whose changes need approval, in the transaction of the change. */
export type ChangeRequests = {
  /** Returns the pending request about a record. */
  readonly waitingFor: (
    executor: Executor,
    kind: ChangeKind,
    targetId: number,
  ) => Promise<WaitingRequest | undefined>;
  /** Creates a request, or changes the pending one of the same requester. */
  readonly submit: (
    tx: Tx,
    by: CallerActor,
    change: SubmittedChange,
    waiting: WaitingRequest | undefined,
  ) => Promise<void>;
  /** Ends a request without a decision. `review`: the content of the request, for the record. */
  readonly withdraw: (
    tx: Tx,
    by: CallerActor,
    change: WaitingChange,
    why: WithdrawReason,
    review: ChangeReview,
  ) => Promise<void>;
  /** Ends the request about a plan. The decision about the plan is made by its own domain. */
  readonly decidePlan: (tx: Tx, by: CallerActor, planId: number, decision: PlanDecision) => Promise<void>;
  /** For a key rotation. */
  readonly waitingHashes: typeof waitingHashes;
  readonly replaceHash: (executor: Queryable, id: number, from: string, to: string) => Promise<void>;
};

/** Closed list of reasons why a request ended without a decision. */
export type WithdrawReason = 'PutBack' | 'Withdrawn' | 'RecordArchived' | 'WorkflowOff';

/** End of a plan in the statuses of requests. */
export type PlanDecision = {
  readonly status: 'Approved' | 'Rejected' | 'Withdrawn';
  readonly comment: string | null;
  readonly planHash: string;
};

const decisionEvents = {
  Approved: 'approvals.change_approved',
  Rejected: 'approvals.change_rejected',
  Withdrawn: 'approvals.change_withdrawn',
} as const satisfies Record<PlanDecision['status'], string>;

/** Returns the identity of a caller for a request. */
export const personOf = (caller: Caller): Person => ({
  userId: caller.userId,
  hostUser: caller.hostUserId ?? null,
});

/**
 * Returns true if the caller made the request or has a part in its plan. The service, which has no name, is never the
 * requester.
 */
export const isRequester = (
  caller: Caller,
  row: Pick<ChangeRow, 'requestedByUserId' | 'requestedByHostUser'> &
    Partial<Pick<ChangeRow, 'barredUserIds' | 'barredHostUsers'>>,
): boolean => {
  const { userId, hostUser } = personOf(caller);
  if (userId !== null && row.barredUserIds?.includes(userId)) return true;
  if (hostUser !== null && row.barredHostUsers?.includes(hostUser)) return true;
  if (userId !== null && row.requestedByUserId !== null) return userId === row.requestedByUserId;
  return hostUser !== null && hostUser === row.requestedByHostUser;
};

export const waitingOf = (row: ChangeRow): WaitingChange => ({
  id: row.id,
  kind: row.kind,
  targetId: row.targetId,
  isNew: row.isNew,
  proposedHash: row.proposedHash,
  versionId: row.versionId,
});

/** Creates the ledger of requests for other domains. */
export function createChangeRequests({ audit }: { readonly audit: Audit }): ChangeRequests {
  return {
    waitingFor: async (executor, kind, targetId) => {
      const row = await findWaiting(executor, kind, targetId);
      return (
        row && {
          ...waitingOf(row),
          requestedByUserName: row.requestedByUserName,
          submittedAt: row.submittedAt,
          isBy: (caller) => isRequester(caller, row),
        }
      );
    },
    submit: async (tx, by, change, waiting) => {
      const id = waiting?.id ?? (await insertChange(tx, change, personOf(by.caller)));
      if (waiting) await amendChange(tx, id, change);
      await audit.record(tx, {
        by,
        event: 'approvals.change_submitted',
        subject: { kind: 'approval', id },
        detail: { kind: change.kind, targetId: change.targetId, changedParts: change.changedParts },
      });
    },
    withdraw: async (tx, by, change, reason, review) => {
      await endChange(tx, change.id, {
        status: 'Withdrawn',
        by: personOf(by.caller),
        comment: null,
        review,
      });
      await audit.record(tx, {
        by,
        event: 'approvals.change_withdrawn',
        subject: { kind: 'approval', id: change.id },
        detail: { kind: change.kind, targetId: change.targetId, reason },
      });
    },
    decidePlan: async (tx, by, planId, { status, comment, planHash }) => {
      const row = await findWaiting(tx, 'Plan', planId);
      if (!row) return;
      await endChange(tx, row.id, { status, by: personOf(by.caller), comment, review: { planHash } });
      await audit.record(tx, {
        by,
        event: decisionEvents[status],
        subject: { kind: 'approval', id: row.id },
        detail: { kind: 'Plan', targetId: planId, requestedByUserId: row.requestedByUserId },
      });
    },
    waitingHashes,
    replaceHash,
  };
}
