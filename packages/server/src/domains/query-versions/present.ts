import type { QueryChange, QueryVersion, QueryVersionListItem } from '@svc/contract';
import type { ChangeRow, linkedSources, VersionListRow, VersionRow } from './store.ts';

export const presentVersionListItem = (row: VersionListRow): QueryVersionListItem => ({
  id: row.id,
  queryId: row.queryId,
  versionNumber: row.versionNumber,
  status: row.status,
  changeSource: row.changeSource,
  changeReason: row.changeReason,
  restoredFromNumber: row.restoredFromNumber,
  changedParts: row.changedParts,
  createdByUserName: row.createdByUserName,
  createdTime: row.createdTime.toISOString(),
  decidedByUserName: row.decidedByUserName,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decisionComment: row.decisionComment,
});

/** Presents a version with its definition. Omits the name of a data source that is no longer linked to the project. */
export const presentVersion = (
  row: VersionRow,
  query: { readonly projectId: number; readonly canEdit: boolean },
  linked: Awaited<ReturnType<typeof linkedSources>>,
): QueryVersion => ({
  ...presentVersionListItem(row),
  projectId: query.projectId,
  name: row.name,
  description: row.description,
  steps: row.steps.map(({ key, order, name, description, dataSourceId, sql }) => ({
    key,
    order,
    name,
    description,
    dataSourceId,
    sql,
    isSourceLinked: linked.has(dataSourceId),
    dataSourceName: linked.get(dataSourceId)?.name ?? null,
    engine: linked.get(dataSourceId)?.engine ?? null,
  })),
  finalQuery: row.finalQuery,
  parameters: row.parameters,
  canEdit: query.canEdit,
});

export const presentChange = (row: ChangeRow): QueryChange => ({
  id: Number(row.id),
  kind: row.kind,
  versionId: row.versionId,
  versionNumber: row.versionNumber,
  source: row.source,
  byUserName: row.byUserName,
  reason: row.reason,
  status: row.status,
  decidedByUserName: row.decidedByUserName,
  parts: row.parts,
  at: row.at.toISOString(),
});
