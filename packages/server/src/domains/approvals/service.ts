import type { Change, ChangeDetail, ChangeKind, ListQuery, Page } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { sha256Hex } from '../../platform/crypto/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { brokenRule, conflict, forbidden, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { presentChange, presentDetail } from './present.ts';
import { type ChangeRequests, isRequester, personOf, waitingOf } from './requests.ts';
import {
  type ChangeRow,
  type ChangesFilter,
  endChange,
  findChange,
  listChanges,
  lockChange,
  sortable,
} from './store.ts';
import type {
  ChangeReview,
  ChangeSubject,
  Present,
  QueryReview,
  RecipientReview,
  WaitingChange,
  WithdrawableSubject,
} from './subject.ts';

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
  readonly onDecided?: (tx: Tx, decision: ToldDecision) => Promise<void>;
};

/** A decision, for notifications. */
export type ToldDecision = {
  readonly approvalId: number;
  readonly status: 'Approved' | 'Rejected';
  /** Stored users to notify. Null for a person without a stored user. */
  readonly userIds: readonly (number | null)[];
};

/** A request about a query, for its reviewer. */
export type QueryRequest = {
  readonly change: Change;
  readonly request: WaitingChange;
  readonly review: QueryReview;
  /** Null if the request has ended. */
  readonly approvalHash: string | null;
};

/** Kinds that this service decides. Plans of AI actors are decided by their own domain. */
export type DecidedHere = Exclude<ChangeKind, 'Plan'>;

export type ApprovalsService = ReturnType<typeof createApprovalsService>;

/** Returns a hash of both sides of a request. It reveals no content. */
const changeHashOf = (id: number, review: Present<unknown>): string => sha256Hex(`${id} ${review.stamp}`);

const isOfRecipient = (review: ChangeReview): review is RecipientReview => 'after' in review;
const isOfQuery = (review: ChangeReview): review is QueryReview => 'activeVersionId' in review;

/** Manages approval requests: requesters, changes, and decisions by other users. */
export function createApprovalsService(deps: ApprovalsDeps) {
  const { database, audit, requests, subjects, onDecided } = deps;

  /** Returns a request of a kind. A request of another kind under this id is reported as not found. */
  const requireChange = async (executor: Executor, kind: DecidedHere, id: number): Promise<ChangeRow> => {
    const row = await findChange(executor, id);
    if (row?.kind !== kind) throw notFound();
    return row;
  };

  /** Runs a decision on a pending request. Locks the record first, then the request. */
  const deciding = <T>(
    kind: DecidedHere,
    id: number,
    work: (tx: Tx, row: ChangeRow, subject: ChangeSubject) => Promise<T>,
  ) =>
    database.transaction(async (tx) => {
      const seen = await requireChange(tx, kind, id);
      const subject = subjects[kind];
      await subject.lock(tx, seen.targetId);
      const row = await lockChange(tx, id);
      if (!row) throw notFound();
      return work(tx, row, subject);
    });

  const decided = async (
    tx: Tx,
    by: CallerActor,
    row: ChangeRow,
    status: ToldDecision['status'],
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
    list: async (caller: Caller, query: ListQuery & ChangesFilter): Promise<Page<Change>> => {
      const page = pageRequest(query, { sortable, byDefault: '-createdTime', unique: 'c.id' });
      const { status, kind, search } = query;
      const { rows, totalCount } = await listChanges(database, { status, kind, search }, page);
      return pageOf(
        rows.map((row) => presentChange(row, isRequester(caller, row))),
        totalCount,
        page,
      );
    },

    get: async (caller: Caller, id: number): Promise<ChangeDetail> => {
      const row = await requireChange(database, 'Recipient', id);
      const subject = subjects.Recipient;
      const shown = {
        isOwn: isRequester(caller, row),
        subscriptionCount: await subject.countUses(database, row.targetId),
      };
      if (row.review && isOfRecipient(row.review))
        return presentDetail(row, { ...shown, review: row.review, changeHash: null });
      const review = await subject.review(database, waitingOf(row));
      return presentDetail(row, { ...shown, review, changeHash: changeHashOf(id, review) });
    },

    /** Returns a request about a query, with the ids of its versions. */
    getOfQuery: async (caller: Caller, id: number): Promise<QueryRequest> => {
      const row = await requireChange(database, 'Query', id);
      const shown = { change: presentChange(row, isRequester(caller, row)), request: waitingOf(row) };
      if (row.review && isOfQuery(row.review)) return { ...shown, review: row.review, approvalHash: null };
      const review = await subjects.Query.review(database, shown.request);
      return { ...shown, review, approvalHash: changeHashOf(id, review) };
    },

    /** Approves a change. The current state must still match the state that the reviewer saw. */
    approve: (
      by: CallerActor,
      kind: DecidedHere,
      id: number,
      input: { readonly hash: string; readonly comment: string | null },
    ) =>
      deciding(kind, id, async (tx, row, subject) => {
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
        await decided(tx, by, row, 'Approved');
      }),

    /** Rejects a change, which remains without effect. */
    reject: (by: CallerActor, kind: DecidedHere, id: number, comment: string | null) =>
      deciding(kind, id, async (tx, row, subject) => {
        refuseUndecidable(by.caller, row);
        const change = waitingOf(row);
        const { stamp: _stamp, ...review } = await subject.review(tx, change);
        await subject.reject(tx, change);
        await endChange(tx, id, { status: 'Rejected', by: personOf(by.caller), comment, review });
        await decided(tx, by, row, 'Rejected');
      }),

    /** Withdraws the caller's own change of a recipient and restores the approved definition. */
    withdraw: (by: CallerActor, id: number) =>
      deciding('Recipient', id, async (tx, row) => {
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
