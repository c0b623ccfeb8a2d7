import type { Delivery, LastResult, Notification, NotificationDetail } from '@svc/contract';
import { commentForReaders, commentOf, queryFailureOf } from './comment.ts';
import type { KeptRow } from './last-result-store.ts';
import { silenceOf } from './silence.ts';
import type { DeliveryRow, HistoryRow, QueryTexts } from './store.ts';

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Returns true if the caller may read the query of a run. */
export type ReadsQuery = (row: Pick<HistoryRow, 'projectId'>) => boolean;

const presentRun = (row: HistoryRow, readsQuery: ReadsQuery) => ({
  id: row.id,
  subscriptionId: row.subscriptionId,
  contractId: row.contractId,
  queryId: row.queryId,
  queryName: row.queryName,
  queryVersionId: row.queryVersionId,
  versionNumber: row.versionNumber,
  projectId: row.projectId,
  origin: row.origin,
  status: row.status,
  silencedBy: silenceOf(row),
  comment: (readsQuery(row) ? commentForReaders : commentOf)({
    reason: row.reason,
    detail: row.reasonDetail,
  }),
  resultCount: row.resultCount,
  violationCount: row.violationCount,
  unroutedCount: row.unroutedCount,
  executionTimeMs: row.executionTimeMs,
  dueAt: row.dueAt.toISOString(),
  createdTime: row.createdTime.toISOString(),
  heldUntil: row.status === 'Created' ? timeOf(row.heldUntil) : null,
  sentAt: timeOf(row.sentAt),
  finishedAt: timeOf(row.finishedAt),
  recoveredAt: timeOf(row.recoveredAt),
});

export const presentNotification = (row: HistoryRow, readsQuery: ReadsQuery): Notification => ({
  ...presentRun(row, readsQuery),
  recipientNames: row.recipientNames,
});

/** Options for the display of a run and its deliveries. HTTP class and timing need `showsTechnical`. */
export type RunView = {
  readonly readsQuery: ReadsQuery;
  /** Texts of the query version that ran, as stored. */
  readonly queryTexts: QueryTexts | undefined;
  readonly showsTechnical: boolean;
  readonly textOfReason: (reason: string, reader: { readonly showsTechnical: boolean }) => string;
  readonly remedyOfReason: (reason: string, reader: { readonly showsTechnical: boolean }) => string | null;
  readonly textOfNote: (note: string) => string;
};

export const presentDetail = (
  row: HistoryRow & { storedResults: unknown; isMessageKept: boolean },
  deliveries: readonly DeliveryRow[],
  view: RunView,
): NotificationDetail => ({
  ...presentRun(row, view.readsQuery),
  failure: presentFailure(row, view),
  projectName: row.projectName,
  previousResultCount: row.previousResultCount,
  startedAt: timeOf(row.startedAt),
  deliveries: deliveries.map((delivery) => presentDelivery(delivery, view)),
  isMessageKept: row.isMessageKept,
  // This domain wrote it in the shape of the contract.
  results: (row.storedResults ?? null) as NotificationDetail['results'],
  traceId: row.traceId,
});

export const presentLastResult = ({ storedResults, ranAt, ...row }: KeptRow): LastResult => ({
  notificationId: row.notificationId,
  subscriptionId: row.subscriptionId,
  ranAt: ranAt.toISOString(),
  origin: row.origin,
  startedByUserName: row.startedByUserName,
  versionNumber: row.versionNumber,
  resultCount: row.resultCount,
  // This domain wrote it in the shape of the contract.
  results: storedResults as LastResult['results'],
});

/**
 * Returns the failed query with the line of SQL that the database reports. Null for callers who may not read the query.
 */
function presentFailure(row: HistoryRow, { readsQuery, queryTexts }: RunView): NotificationDetail['failure'] {
  const failure = readsQuery(row) ? queryFailureOf({ reason: row.reason, detail: row.reasonDetail }) : null;
  if (failure === null) return null;
  const { stepOrder, line } = failure;
  const text =
    stepOrder === null
      ? queryTexts?.finalQuery
      : queryTexts?.steps.find(({ order }) => order === stepOrder)?.sql;
  const sqlLine = line === null ? undefined : text?.split('\n')[line - 1];
  return { ...failure, sqlLine: sqlLine ?? null };
}

const presentDelivery = (row: DeliveryRow, view: RunView): Delivery => ({
  id: row.id,
  recipientId: row.recipientId,
  recipientName: row.recipientName,
  notificationType: row.notificationType,
  attempt: row.attempt,
  origin: row.origin,
  orderedBy: row.orderedBy,
  state: row.state,
  reason: row.reason === null ? null : view.textOfReason(row.reason, view),
  remedy: row.reason === null ? null : view.remedyOfReason(row.reason, view),
  notes: row.notes.map(view.textOfNote).filter((text) => text !== ''),
  messageId: row.messageId,
  remoteId: row.remoteId,
  rowCount: row.rowCount,
  bytesSent: row.bytesSent,
  dueAt: timeOf(row.dueAt),
  startedAt: row.startedAt.toISOString(),
  finishedAt: timeOf(row.finishedAt),
  ...(view.showsTechnical && { httpClass: row.httpClass, durationMs: row.durationMs }),
});
