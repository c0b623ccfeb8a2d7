import type { DataContract, DataContractSummary, Schedule } from '@svc/contract';
import { presentAlert } from '../alerts/index.ts';
import type { ContractRow, ContractSummaryRow } from './store.ts';

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Converts a stored contract to the API format. */
export const presentContract = (row: ContractRow, schedule: Schedule | null): DataContract => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  dataSourceId: row.dataSourceId,
  dataSourceName: row.dataSourceName,
  schemaName: row.schemaName,
  tableName: row.tableName,
  name: row.name,
  description: row.description,
  isEnabled: row.isEnabled,
  failsOn: row.failsOn,
  warnScore: row.warnScore,
  failScore: row.failScore,
  alertMode: row.alertMode,
  alertsOnWarning: row.alertsOnWarning,
  alert: row.alert,
  quietHours: row.quietHours,
  createTasks: row.createTasks,
  slaHours: row.slaHours,
  keepsSamples: row.keepsSamples,
  ownerUserId: row.ownerUserId,
  ownerName: row.ownerName,
  schedule,
  recipients: row.recipients,
  rules: row.rules,
  alertState: row.alertState && presentAlert(row.alertState),
  lastMissed: row.lastMissed && {
    id: row.lastMissed.id,
    firstDueAt: new Date(row.lastMissed.firstDueAt).toISOString(),
    lastDueAt: new Date(row.lastMissed.lastDueAt).toISOString(),
    missedCount: row.lastMissed.missedCount,
    noticedAt: new Date(row.lastMissed.noticedAt).toISOString(),
    reason: row.lastMissed.reason,
  },
  snoozedUntil: timeOf(row.snoozedUntil),
  snoozeReason: row.snoozeReason,
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
});

export const presentSummary = (row: ContractSummaryRow): DataContractSummary => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  dataSourceId: row.dataSourceId,
  dataSourceName: row.dataSourceName,
  schemaName: row.schemaName,
  tableName: row.tableName,
  name: row.name,
  isEnabled: row.isEnabled,
  ownerUserId: row.ownerUserId,
  ownerName: row.ownerName,
  ruleCount: row.ruleCount,
  snoozedUntil: timeOf(row.snoozedUntil),
  lastOutcome: row.lastOutcome,
  lastScore: row.lastScore,
  lastEvaluatedAt: timeOf(row.lastEvaluatedAt),
  createdTime: row.createdTime.toISOString(),
});
