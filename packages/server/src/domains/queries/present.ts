import type { Query, QueryListItem } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { isRequester } from '../approvals/index.ts';
import type { FoundQuery, PendingRow, QueryRow } from './store.ts';

const shared = (row: QueryRow) => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  name: row.name,
  description: row.description,
  folderId: row.folderId,
  folderPath: row.folderPath,
  check: row.check,
  isLocked: row.isLocked,
  subscriptionCount: row.subscriptionCount,
  isDemo: row.isDemo,
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
});

const presentPending = (row: PendingRow, caller: Caller): NonNullable<Query['pendingVersion']> => ({
  id: row.id,
  versionNumber: row.versionNumber,
  approvalId: row.approvalId,
  requestedByUserName: row.requestedByUserName,
  isOwn: isRequester(caller, row),
});

export const presentQuery = (row: FoundQuery, caller: Caller, canEdit: boolean): Query => ({
  ...shared(row),
  versionNumber: row.versionNumber,
  pendingVersion: row.pendingVersion && presentPending(row.pendingVersion, caller),
  savedByUserName: row.savedByUserName,
  createdByUserName: row.createdByUserName,
  savedAt: (row.savedAt ?? row.createdTime).toISOString(),
  steps: row.steps,
  finalQuery: row.finalQuery,
  parameters: row.parameters,
  canEdit,
});

export const presentQueryListItem = (row: QueryRow): QueryListItem => ({
  ...shared(row),
  stepCount: row.steps.length,
  dataSourceNames: [...new Set(row.steps.map((step) => step.dataSourceName))],
  engines: [...new Set(row.steps.map((step) => step.engine))],
  isCrossDataSource: new Set(row.steps.map((step) => step.dataSourceId)).size > 1,
});
