import type { Change, ChangeDetail, ListQuery, Page } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import { type ApprovalsDeps, changeHashOf, createDecisions, requireChange } from './decisions.ts';
import { presentChange, presentDetail } from './present.ts';
import { isRequester, waitingOf } from './requests.ts';
import { type ChangesFilter, listChanges, sortable } from './store.ts';
import type { ChangeReview, QueryReview, RecipientReview, WaitingChange } from './subject.ts';

/** A request about a query, for its reviewer. */
export type QueryRequest = {
  readonly change: Change;
  readonly request: WaitingChange;
  readonly review: QueryReview;
  /** Null if the request has ended. */
  readonly approvalHash: string | null;
};

export type ApprovalsService = ReturnType<typeof createApprovalsService>;

const isOfRecipient = (review: ChangeReview): review is RecipientReview => 'after' in review;
const isOfQuery = (review: ChangeReview): review is QueryReview => 'activeVersionId' in review;

/** Manages approval requests: requesters, changes, and decisions by other users. */
export function createApprovalsService(deps: ApprovalsDeps) {
  const { database, subjects } = deps;
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

    ...createDecisions(deps),
  };
}
