import type { ChangeKind } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { sha256Hex } from '../../platform/crypto/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { brokenRule, conflict, forbidden, notFound } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { type ChangeRequests, isRequester, personOf, waitingOf } from './requests.ts';
import { type ChangeRow, endChange, findChange, lockChange } from './store.ts';
import type { ChangeSubject, Present, QueryReview, RecipientReview, WithdrawableSubject } from './subject.ts';

export type ApprovalsDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly requests: ChangeRequests;
  /** Domain implementation for each kind of request. */
  readonly subjects: {
    readonly Recipient: WithdrawableSubject<RecipientReview>;
    readonly Query: ChangeSubject<QueryReview>;
  };
  /** Notifies the requester and the reviewer of a decision, in its transaction. */
  readonly onDecided?: (tx: Tx, decision: Decision) => Promise<void>;
};

/** Decision for the notification of its users. */
export type Decision = {
  readonly approvalId: number;
  readonly status: 'Approved' | 'Rejected';
  /** Stored users to notify. Null for a person without a stored user. */
  readonly userIds: readonly (number | null)[];
};

/** Kinds that this service decides. Plans of AI actors are decided by their own domain. */
export type DecidedKind = Exclude<ChangeKind, 'Plan'>;

/** Returns a request of a kind. A request of another kind under this id is reported as not found. */
export async function requireChange(executor: Executor, kind: DecidedKind, id: number): Promise<ChangeRow> {
  const row = await findChange(executor, id);
  if (row?.kind !== kind) throw notFound();
  return row;
}

/** Returns a hash of both sides of a request. It reveals no content. */
export const changeHashOf = (id: number, review: Present<unknown>): string =>
  sha256Hex(`${id} ${review.stamp}`);

/** Creates the decisions of users on requests, and the withdrawal by the requester. */
export function createDecisions(deps: ApprovalsDeps) {
  const { database, audit, requests, subjects, onDecided } = deps;

  /** Runs a decision on a pending request. Locks the record first, then the request. */
  const decide = <T>(
    kind: DecidedKind,
    id: number,
    work: (tx: Tx, row: ChangeRow, subject: ChangeSubject) => Promise<T>,
  ) =>
    database.transaction(async (tx) => {
      const request = await requireChange(tx, kind, id);
      const subject = subjects[kind];
      await subject.lock(tx, request.targetId);
      const row = await lockChange(tx, id);
      if (!row) throw notFound();
      return work(tx, row, subject);
    });

  /** Records a decision and notifies its users. */
  const recordDecision = async (
    tx: Tx,
    by: CallerActor,
    row: ChangeRow,
    status: Decision['status'],
  ): Promise<void> => {
    await audit.record(tx, {
      by,
      event: status === 'Approved' ? 'approvals.change_approved' : 'approvals.change_rejected',
      subject: { kind: 'approval', id: row.id },
      detail: { kind: row.kind, targetId: row.targetId, requestedByUserId: row.requestedByUserId },
    });
    await onDecided?.(tx, {
      approvalId: row.id,
      status,
      userIds: [row.requestedByUserId, by.caller.userId],
    });
  };

  return {
    /** Approves a change. The current state must still match the state that the reviewer saw. */
    approve: (
      by: CallerActor,
      kind: DecidedKind,
      id: number,
      input: { readonly hash: string; readonly comment: string | null },
    ) =>
      decide(kind, id, async (tx, row, subject) => {
        refuseUndecidable(by.caller, row);
        const change = waitingOf(row);
        const { stamp, ...review } = await subject.review(tx, change);
        if (changeHashOf(id, { stamp }) !== input.hash)
          throw conflict(
            'change-stale',
            'This changed since you opened it. Load it again and look at what it is now.',
          );
        if (review.looksEqual && input.comment === null) {
          const detail =
            'Both sides look the same, but they differ. Say in a comment how you checked the change.';
          throw brokenRule('comment-required', detail, [{ path: '/comment', message: detail }]);
        }
        await subject.approve(tx, change, by);
        await endChange(tx, id, {
          status: 'Approved',
          by: personOf(by.caller),
          comment: input.comment,
          review,
        });
        await recordDecision(tx, by, row, 'Approved');
      }),

    /** Rejects a change, which remains without effect. */
    reject: (by: CallerActor, kind: DecidedKind, id: number, comment: string | null) =>
      decide(kind, id, async (tx, row, subject) => {
        refuseUndecidable(by.caller, row);
        const change = waitingOf(row);
        const { stamp: _stamp, ...review } = await subject.review(tx, change);
        await subject.reject(tx, change);
        await endChange(tx, id, { status: 'Rejected', by: personOf(by.caller), comment, review });
        await recordDecision(tx, by, row, 'Rejected');
      }),

    /** Withdraws the caller's own change of a recipient and restores the approved definition. */
    withdraw: (by: CallerActor, id: number) =>
      decide('Recipient', id, async (tx, row) => {
        const subject = subjects.Recipient;
        if (!isRequester(by.caller, row))
          throw forbidden('not-your-request', 'Only whoever asked for a change may withdraw it.');
        refuseEnded(row);
        const change = waitingOf(row);
        const { stamp: _stamp, ...review } = await subject.review(tx, change);
        await subject.restore(tx, by, change);
        await requests.withdraw(tx, by, change, 'Withdrawn', review);
      }),
  };
}

function refuseEnded(row: ChangeRow): void {
  if (row.status !== 'Pending')
    throw conflict('change-over', `This request is over: it was ${row.status.toLowerCase()} already.`);
}

/** Four-eyes principle: the requester of a change must not decide about it. */
function refuseUndecidable(caller: Caller, row: ChangeRow): void {
  if (isRequester(caller, row))
    throw forbidden('own-request', 'You asked for this change: somebody else must decide about it.');
  refuseEnded(row);
}
