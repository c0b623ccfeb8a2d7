import type { Project, ProjectDataSource, ProjectListItem, ProjectMember } from '@svc/contract';
import { rightOfLevel } from './access.ts';
import type { LinkedSourceRow } from './link-store.ts';
import type { MemberRow } from './member-store.ts';
import type { ProjectListRow, ProjectRow } from './store.ts';

export const presentProjectListItem = (row: ProjectListRow): ProjectListItem => ({
  id: row.id,
  name: row.name,
  description: row.description,
  accessMode: row.access_mode,
  right: rightOfLevel(row.right_level) ?? 'Read',
  isDemo: row.is_demo,
  dataSourceCount: row.data_source_count,
  queryCount: row.query_count,
  createdTime: row.created_time,
  updatedAt: row.updated_at,
});

export const presentProject = (row: ProjectRow): Project => ({
  ...presentProjectListItem(row),
  createdByUserId: row.created_by_user_id,
  version: row.version,
});

export const presentMember = (row: MemberRow): ProjectMember => ({
  userId: row.user_id,
  userName: row.user_name,
  displayName: row.display_name,
  role: row.role,
  isEnabled: row.is_enabled,
  addedAt: row.added_at.toISOString(),
  addedByUserId: row.added_by_user_id,
  version: row.version,
});

export const presentLinkedSource = (row: LinkedSourceRow): ProjectDataSource => ({
  id: row.id,
  name: row.name,
  description: row.description,
  engine: row.engine,
  linkedAt: row.linked_at.toISOString(),
});
