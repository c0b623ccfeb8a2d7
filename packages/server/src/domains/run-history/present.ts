import type { Delivery, LastResult, Notification, NotificationDetail } from '@svc/contract';
import { commentOf } from './comment.ts';
import type { DeliveryRow, HistoryRow, KeptRow } from './store.ts';

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

const presentRun = (row: HistoryRow) => ({
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
  comment: commentOf({ reason: row.reason, detail: row.reasonDetail }),
  resultCount: row.resultCount,
  unroutedCount: row.unroutedCount,
  executionTimeMs: row.executionTimeMs,
  dueAt: row.dueAt.toISOString(),
  createdTime: row.createdTime.toISOString(),
  heldUntil: row.status === 'Created' ? timeOf(row.heldUntil) : null,
  sentAt: timeOf(row.sentAt),
  finishedAt: timeOf(row.finishedAt),
  recoveredAt: timeOf(row.recoveredAt),
});

/** A run as a row of the history. */
export const presentNotification = (row: HistoryRow): Notification => ({
  ...presentRun(row),
  recipientNames: row.recipientNames,
});

/** How deliveries are shown: HTTP class and timing only where `showsTechnical`. */
export type DeliveryView = {
  readonly showsTechnical: boolean;
  readonly textOfReason: (reason: string, reader: { readonly showsTechnical: boolean }) => string;
  readonly remedyOfReason: (reason: string, reader: { readonly showsTechnical: boolean }) => string | null;
  readonly textOfNote: (note: string) => string;
};

/** A run with its deliveries. */
export const presentDetail = (
  row: HistoryRow & { storedResults: unknown; isMessageKept: boolean },
  deliveries: readonly DeliveryRow[],
  view: DeliveryView,
): NotificationDetail => ({
  ...presentRun(row),
  projectName: row.projectName,
  previousResultCount: row.previousResultCount,
  startedAt: timeOf(row.startedAt),
  deliveries: deliveries.map((delivery) => presentDelivery(delivery, view)),
  isMessageKept: row.isMessageKept,
  // Written by this domain, in the contract's own shape.
  results: (row.storedResults ?? null) as NotificationDetail['results'],
  traceId: row.traceId,
});

/** The newest rows that a run of a query kept. */
export const presentLastResult = ({ storedResults, ranAt, ...row }: KeptRow): LastResult => ({
  notificationId: row.notificationId,
  subscriptionId: row.subscriptionId,
  ranAt: ranAt.toISOString(),
  origin: row.origin,
  startedByUserName: row.startedByUserName,
  versionNumber: row.versionNumber,
  resultCount: row.resultCount,
  // Written by this domain, in the contract's own shape.
  results: storedResults as LastResult['results'],
});

const presentDelivery = (row: DeliveryRow, view: DeliveryView): Delivery => ({
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
