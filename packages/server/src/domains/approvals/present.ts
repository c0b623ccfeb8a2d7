import type { Change, ChangeDetail } from '@svc/contract';
import type { ChangeRow } from './store.ts';
import type { RecipientReview } from './subject.ts';

/** Returns a request for the list. */
export const presentChange = (row: ChangeRow, isOwn: boolean): Change => ({
  id: row.id,
  kind: row.kind,
  targetId: row.targetId,
  targetName: row.targetName,
  planId: row.kind === 'Plan' ? row.targetId : null,
  projectName: row.projectName,
  status: row.status,
  isNew: row.isNew,
  changedParts: row.changedParts,
  requestedByUserName: row.requestedByUserName,
  isOwn,
  createdTime: row.createdTime.toISOString(),
  submittedAt: row.submittedAt.toISOString(),
  decidedByUserName: row.decidedByUserName,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  comment: row.comment,
});

/** Returns a request with both sides of the change. */
export const presentDetail = (
  row: ChangeRow,
  shown: {
    readonly isOwn: boolean;
    readonly review: RecipientReview;
    readonly changeHash: string | null;
    readonly subscriptionCount: number;
  },
): ChangeDetail => ({
  ...presentChange(row, shown.isOwn),
  before: shown.review.before,
  after: shown.review.after,
  looksEqual: shown.review.looksEqual,
  changeHash: shown.changeHash,
  subscriptionCount: shown.subscriptionCount,
});
