import type { Schedule, Subscription } from '@svc/contract';
import { presentAlert } from '../alerts/index.ts';
import { silenceOf } from '../run-history/index.ts';
import type { SubscriptionRow } from './store/index.ts';

/** Texts for the reasons why the service stopped a subscription, from a closed list. */
const stoppedTexts: Readonly<Partial<Record<string, string>>> = {
  QueryGone: 'The query or its project was archived.',
};

export const presentSubscription = (row: SubscriptionRow, schedule: Schedule): Subscription => ({
  id: row.id,
  queryId: row.queryId,
  queryName: row.queryName,
  projectId: row.projectId,
  projectName: row.projectName,
  state: row.archivedAt === null ? 'Active' : 'Archived',
  stoppedBecause:
    row.stoppedReason === null ? null : (stoppedTexts[row.stoppedReason] ?? 'It could not run any more.'),
  ownerUserId: row.ownerUserId,
  ownerName: row.ownerName,
  schedule,
  notificationTrigger: row.notificationTrigger,
  minimumRowCount: row.minimumRowCount,
  maxRows: row.maxRows,
  timeoutSeconds: row.timeoutSeconds,
  overlap: row.overlap,
  showQuery: row.showQuery,
  storeResults: row.storeResults,
  includeAttachment: row.includeAttachment,
  attachmentFormat: row.attachmentFormat,
  createTasks: row.createTasks,
  slaHours: row.slaHours,
  parameters: row.parameters,
  anomaly: row.anomaly,
  alert: row.alert,
  rowMemory: row.rowMemory,
  quietHours: row.quietHours,
  routing: row.routing,
  rememberedRows: row.rememberedRows && {
    ...row.rememberedRows,
    updatedAt: new Date(row.rememberedRows.updatedAt).toISOString(),
  },
  alertState: row.alertState && presentAlert(row.alertState),
  recipients: row.recipients,
  lastRun: row.lastRun && {
    id: row.lastRun.id,
    status: row.lastRun.status,
    silencedBy: silenceOf(row.lastRun),
    createdTime: new Date(row.lastRun.createdTime).toISOString(),
  },
  lastMissed: row.lastMissed && {
    ...row.lastMissed,
    firstDueAt: new Date(row.lastMissed.firstDueAt).toISOString(),
    lastDueAt: new Date(row.lastMissed.lastDueAt).toISOString(),
    noticedAt: new Date(row.lastMissed.noticedAt).toISOString(),
  },
  pausedSince: row.pausedAt?.toISOString() ?? null,
  snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
  snoozeReason: row.snoozeReason,
  isDemo: row.isDemo,
  createdTime: row.createdTime.toISOString(),
  version: row.version,
});
