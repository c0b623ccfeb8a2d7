import type { QueryParameter } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

/** Query with its tool. A query that was never published has no tool fields. */
export type ToolRow = {
  readonly queryId: number;
  readonly queryName: string;
  readonly projectId: number;
  readonly projectName: string;
  readonly newestVersionId: number | null;
  readonly newestVersionNumber: number | null;
  readonly isEnabled: boolean;
  readonly name: string | null;
  readonly description: string | null;
  readonly versionId: number | null;
  readonly versionNumber: number | null;
  /** Name in the version. */
  readonly title: string | null;
  readonly versionDescription: string | null;
  readonly parameters: QueryParameter[] | null;
  readonly publishedAt: Date | null;
  readonly publishedByUserName: string | null;
  readonly version: number;
  /** True when a data source of the version is no longer linked to the project. */
  readonly isSourceMissing: boolean;
  /** True when an engine rejected the version after a schema change. */
  readonly hasFailedCheck: boolean;
  /** Number of published queries of the project that clients get before this one. */
  readonly place: number;
};

export const sortable = {
  name: 't.name collate "C"',
  queryName: 'lower(q.name) collate "C"',
  projectName: 'lower(p.name) collate "C"',
  publishedAt: 't.published_at',
  queryId: 'q.id',
} as const;

const columns = `q.id as "queryId", q.name as "queryName", p.id as "projectId", p.name as "projectName",
  q.active_version_id as "newestVersionId", n.version_number as "newestVersionNumber",
  coalesce(t.is_enabled, false) as "isEnabled", t.name, t.description, t.version_id as "versionId",
  v.version_number as "versionNumber", v.name as title, v.description as "versionDescription", v.parameters,
  t.published_at as "publishedAt", coalesce(u.display_name, u.user_name) as "publishedByUserName",
  coalesce(t.version, 0) as version,
  exists (select from jsonb_array_elements(v.steps) s where not exists (
    select from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null
     where l.project_id = q.project_id and l.data_source_id = (s ->> 'dataSourceId')::int)) as "isSourceMissing",
  exists (select from svc.query_checks k
    where k.query_id = q.id and k.version_id = t.version_id and k.verdict = 'Failed') as "hasFailedCheck",
  (select count(*)::int from svc.query_tools o join svc.queries oq on oq.id = o.query_id and oq.archived_at is null
    where o.is_enabled and oq.project_id = q.project_id
      and (o.enabled_at, o.query_id) < (t.enabled_at, t.query_id)) as place`;

const from = `from svc.queries q
  join svc.projects p on p.id = q.project_id and p.archived_at is null
  left join svc.query_tools t on t.query_id = q.id
  left join svc.query_versions v on v.id = t.version_id
  left join svc.query_versions n on n.id = q.active_version_id
  left join svc.users u on u.id = t.published_by_user_id
 where q.archived_at is null`;

/** Returns the tool of a live query; undefined when the query does not exist. */
export async function findTool(executor: Executor, queryId: number): Promise<ToolRow | undefined> {
  const { rows } = await executor.query<ToolRow>(`select ${columns} ${from} and q.id = $1`, [queryId]);
  return rows[0];
}

/** Returns one page of the published queries of all projects. */
export async function listTools(
  executor: Executor,
  filter: { readonly search: string | null; readonly projectId: number | null },
  page: PageRequest,
): Promise<{ rows: ToolRow[]; totalCount: number }> {
  const matching = `${from} and t.is_enabled and ($1::int is null or q.project_id = $1)
    and ($2::text is null or position(lower($2) in t.name || ' ' || lower(q.name)) > 0)`;
  const values = [filter.projectId, filter.search];
  const { rows } = await executor.query<ToolRow>(
    `select ${columns} ${matching} order by ${orderBy(page)} limit $3 offset $4`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count ${matching}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns true if the version belongs to the query, is or was its active definition, and has a step. */
export async function isPublishable(tx: Tx, queryId: number, versionId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from svc.query_versions where id = $2 and query_id = $1 and status in ('Active', 'Archived')
       and jsonb_array_length(steps) > 0`,
    [queryId, versionId],
  );
  return rowCount === 1;
}

export type ToolFields = {
  readonly isEnabled: boolean;
  readonly name: string;
  readonly description: string | null;
  readonly versionId: number;
};

/** Stores a publication. An archived query with the same tool name is unpublished first. */
export async function saveTool(
  tx: Tx,
  queryId: number,
  { isEnabled, name, description, versionId }: ToolFields,
  userId: number | null,
): Promise<void> {
  await tx.query(
    `update svc.query_tools t set is_enabled = false from svc.queries q join svc.projects p on p.id = q.project_id
      where q.id = t.query_id and t.is_enabled and t.name = $1 and coalesce(q.archived_at, p.archived_at) is not null`,
    [name],
  );
  await tx.query(
    `insert into svc.query_tools as t (query_id, is_enabled, name, description, version_id, published_by_user_id)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (query_id) do update set is_enabled = excluded.is_enabled, name = excluded.name,
       description = excluded.description, version_id = excluded.version_id, version = t.version + 1,
       enabled_at = case when t.is_enabled then t.enabled_at else now() end,
       published_at = now(), published_by_user_id = excluded.published_by_user_id`,
    [queryId, isEnabled, name, description, versionId, userId],
  );
}

/** Sets the version that a published query runs. */
export async function pinTool(tx: Tx, queryId: number, versionId: number): Promise<void> {
  await tx.query(
    `update svc.query_tools set version_id = $2, version = version + 1 where query_id = $1 and is_enabled`,
    [queryId, versionId],
  );
}
