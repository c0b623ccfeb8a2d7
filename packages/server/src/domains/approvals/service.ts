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
  /** What each kind of request is about. */
  readonly subjects: {
    readonly Recipient: WithdrawableSubject<RecipientReview>;
    readonly Query: ChangeSubject<QueryReview>;
  };
  /** Tells the requester and the reviewer of a decision, in its transaction. */
  readonly onDecided?: (tx: Tx, decision: ToldDecision) => Promise<void>;
};

/** A decision, as people are told of it. */
export type ToldDecision = {
  readonly approvalId: number;
  readonly status: 'Approved' | 'Rejected';
  /** Stored users that it concerns; null for somebody who is none. */
  readonly userIds: readonly (number | null)[];
};

/** A request about a query, as whoever decides is shown it. */
export type QueryRequest = {
  readonly change: Change;
  readonly request: WaitingChange;
  readonly review: QueryReview;
  /** Null once the request is over. */
  readonly approvalHash: string | null;
};

/** Kinds that are decided here: a plan of an AI actor is decided where it is shown. */
export type DecidedHere = Exclude<ChangeKind, 'Plan'>;

export type ApprovalsService = ReturnType<typeof createApprovalsService>;

/** Stands for both sides of a request as they were shown; says nothing about either. */
const changeHashOf = (id: number, review: Present<unknown>): string => sha256Hex(`${id} ${review.stamp}`);

const isOfRecipient = (review: ChangeReview): review is RecipientReview => 'after' in review;
const isOfQuery = (review: ChangeReview): review is QueryReview => 'activeVersionId' in review;

/** Requests to approve a change: who asked, what it would change, and what was decided by somebody else. */
export function createApprovalsService(deps: ApprovalsDeps) {
  const { database, audit, requests, subjects, onDecided } = deps;

  /** A request of a kind: that there is one of another kind by this id is nobody's business here. */
  const found = async (executor: Executor, kind: DecidedHere, id: number): Promise<ChangeRow> => {
    const row = await findChange(executor, id);
    if (row?.kind !== kind) throw notFound();
    return row;
  };

  /** Runs a decision on a request that waits: the record is locked, then the request. */
  const deciding = <T>(
    kind: DecidedHere,
    id: number,
    work: (tx: Tx, row: ChangeRow, subject: ChangeSubject) => Promise<T>,
  ) =>
    database.transaction(async (tx) => {
      const seen = await found(tx, kind, id);
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
      const row = await found(database, 'Recipient', id);
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

    /** A request about a query: which versions it is about. */
    getOfQuery: async (caller: Caller, id: number): Promise<QueryRequest> => {
      const row = await found(database, 'Query', id);
      const shown = { change: presentChange(row, isRequester(caller, row)), request: waitingOf(row) };
      if (row.review && isOfQuery(row.review)) return { ...shown, review: row.review, approvalHash: null };
      const review = await subjects.Query.review(database, shown.request);
      return { ...shown, review, approvalHash: changeHashOf(id, review) };
    },

    /** Lets a change take effect; what the reviewer saw must still be what stands there. */
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

    /** Leaves a change without effect. */
    reject: (by: CallerActor, kind: DecidedHere, id: number, comment: string | null) =>
      deciding(kind, id, async (tx, row, subject) => {
        refuseUndecidable(by.caller, row);
        const change = waitingOf(row);
        const { stamp: _stamp, ...review } = await subject.review(tx, change);
        await subject.reject(tx, change);
        await endChange(tx, id, { status: 'Rejected', by: personOf(by.caller), comment, review });
        await decided(tx, by, row, 'Rejected');
      }),

    /** Takes back a change of a recipient of the caller's own: what was approved holds again. */
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

/** Four eyes: whoever asked for a change cannot decide about it. */
function refuseUndecidable(caller: Caller, row: ChangeRow): void {
  if (isRequester(caller, row))
    throw forbidden('own-request', 'You asked for this change: somebody else must decide about it.');
  refuseEnded(row);
}
