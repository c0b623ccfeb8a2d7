import type { Schedule, Subscription } from '@svc/contract';
import type { SubscriptionRow } from './store.ts';

/** A subscription as it is shown. */
export const presentSubscription = (row: SubscriptionRow, schedule: Schedule): Subscription => ({
  id: row.id,
  queryId: row.queryId,
  queryName: row.queryName,
  projectId: row.projectId,
  projectName: row.projectName,
  state: row.archivedAt === null ? 'Active' : 'Archived',
  ownerUserId: row.ownerUserId,
  ownerName: row.ownerName,
  schedule,
  notificationTrigger: row.notificationTrigger,
  minimumRowCount: row.minimumRowCount,
  maxRows: row.maxRows,
  timeoutSeconds: row.timeoutSeconds,
  showQuery: row.showQuery,
  storeResults: row.storeResults,
  includeAttachment: row.includeAttachment,
  attachmentFormat: row.attachmentFormat,
  parameters: row.parameters,
  recipients: row.recipients,
  lastRun: row.lastRun && { ...row.lastRun, createdTime: new Date(row.lastRun.createdTime).toISOString() },
  isDemo: row.isDemo,
  createdTime: row.createdTime.toISOString(),
  version: row.version,
});
