import type { QueryFolder } from '@svc/contract';
import type { FolderRow } from './store.ts';

export const presentFolder = (row: FolderRow): QueryFolder => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  parentId: row.parentId,
  name: row.name,
  path: row.names.join('/'),
  depth: row.names.length,
  queryCount: row.queryCount,
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
});
