import type { Query, QueryListItem } from '@svc/contract';
import type { FoundQuery, QueryRow } from './store.ts';

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

/** A query with its definition. */
export const presentQuery = (row: FoundQuery, canEdit: boolean): Query => ({
  ...shared(row),
  versionNumber: row.versionNumber,
  pendingVersion: row.pendingVersion,
  savedByUserName: row.savedByUserName,
  createdByUserName: row.createdByUserName,
  savedAt: (row.savedAt ?? row.createdTime).toISOString(),
  steps: row.steps,
  finalQuery: row.finalQuery,
  parameters: row.parameters,
  canEdit,
});

/** A query as a row of the list. */
export const presentQueryListItem = (row: QueryRow): QueryListItem => ({
  ...shared(row),
  stepCount: row.steps.length,
  dataSourceNames: [...new Set(row.steps.map((step) => step.dataSourceName))],
  engines: [...new Set(row.steps.map((step) => step.engine))],
  isCrossDataSource: new Set(row.steps.map((step) => step.dataSourceId)).size > 1,
});
