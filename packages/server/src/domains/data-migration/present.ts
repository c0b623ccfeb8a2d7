import type { MigrationExecution, MigrationJob, MigrationValidation } from '@svc/contract';
import type { CopyInspection } from '../../gateways/copy-data/index.ts';
import type { ExecutionRow } from './execution-store.ts';
import type { JobRow } from './store.ts';

export const presentJob = (row: JobRow): MigrationJob => ({
  id: row.id,
  name: row.name,
  description: row.description,
  dataSourceId: row.dataSourceId,
  dataSourceName: row.dataSourceName,
  source: row.source,
  destinationDataSourceId: row.destinationDataSourceId,
  destinationDataSourceName: row.destinationDataSourceName,
  destination: row.destination,
  createsTable: row.createsTable,
  mode: row.mode,
  keyColumns: row.keyColumns,
  columns: row.columns,
  incremental: row.incremental,
  personalData: row.personalData,
  onRejectedRow: row.onRejectedRow,
  rejectedRowsMax: row.rejectedRowsMax,
  minimumSourceRows: row.minimumSourceRows,
  deletedShareMax: row.deletedShareMax,
  cronExpression: row.cronExpression,
  timeZone: row.timeZone,
  isEnabled: row.isEnabled,
  retriesMax: row.retriesMax,
  timeoutMinutes: row.timeoutMinutes,
  ownerUserId: row.ownerUserId,
  ownerName: row.ownerName,
  isRunning: row.isRunning,
  missed:
    row.missedFirstDueAt && row.missedLastDueAt
      ? {
          firstDueAt: row.missedFirstDueAt.toISOString(),
          lastDueAt: row.missedLastDueAt.toISOString(),
          count: row.missedCount,
        }
      : null,
  lastExecution: row.lastExecution && {
    ...row.lastExecution,
    createdTime: new Date(row.lastExecution.createdTime).toISOString(),
  },
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
});

/** Converts an execution to the API format. It contains no row values. */
export const presentExecution = (row: ExecutionRow): MigrationExecution => ({
  id: row.id,
  migrationJobId: row.migrationJobId,
  name: row.name,
  status: row.status,
  stage: row.stage,
  reason: row.reason,
  message: row.message,
  trigger: row.trigger,
  isTrial: row.isTrial,
  attempt: row.attempt,
  retryOf: row.retryOf,
  rowsRead: row.rowsRead,
  bytesRead: row.bytesRead,
  estimatedRows: row.estimatedRows,
  rowsInserted: row.rowsInserted,
  rowsUpdated: row.rowsUpdated,
  rowsUnchanged: row.rowsUnchanged,
  rowsDeleted: row.rowsDeleted,
  rowsRejected: row.rowsRejected,
  unmaskedColumns: row.unmaskedColumns,
  watermark: row.watermark,
  startedByUserId: row.startedByUserId,
  jobId: row.jobId,
  traceId: row.traceId,
  createdTime: row.createdTime.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

export const presentInspection = (inspection: CopyInspection): MigrationValidation => ({
  isOk: inspection.issues.every(({ severity }) => severity !== 'Error'),
  issues: inspection.issues.map(({ severity, code, column, message }) => ({
    severity,
    code,
    column,
    message,
  })),
  mapping: inspection.mapping.map((column) => ({ ...column })),
  keyColumns: [...inspection.keyColumns],
  estimatedRows: inspection.estimatedRows,
  targetRows: inspection.targetRows,
  destinationExists: inspection.destinationColumns !== undefined,
});
