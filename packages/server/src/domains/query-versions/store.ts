import type {
  DefinitionPart,
  QueryChangeKind,
  QueryParameter,
  QueryVersionSource,
  QueryVersionStatus,
} from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import type { VersionDefinition } from '../queries/index.ts';

export type VersionListRow = {
  readonly id: number;
  readonly queryId: number;
  readonly versionNumber: number;
  readonly status: QueryVersionStatus;
  readonly changeSource: QueryVersionSource;
  readonly changeReason: string | null;
  readonly restoredFromNumber: number | null;
  readonly changedParts: DefinitionPart[];
  readonly createdByUserName: string | null;
  readonly createdTime: Date;
  readonly decidedByUserName: string | null;
  readonly decidedAt: Date | null;
  readonly decisionComment: string | null;
};

export type VersionRow = VersionListRow &
  Omit<VersionDefinition, 'parameters'> & { readonly parameters: QueryParameter[] };

export type ChangeRow = {
  readonly id: string;
  readonly kind: QueryChangeKind;
  readonly versionId: number | null;
  readonly versionNumber: number | null;
  readonly source: QueryVersionSource | null;
  readonly byUserName: string | null;
  readonly reason: string | null;
  readonly status: QueryVersionStatus | null;
  readonly decidedByUserName: string | null;
  readonly parts: DefinitionPart[];
  readonly at: Date;
};

export const versionSortable = {
  versionNumber: 'v.version_number',
  createdTime: 'v.created_time',
  status: 'v.status',
  changeSource: 'v.change_source',
  id: 'v.id',
} as const;

export const changeSortable = { at: 'e.at' } as const;

/** Previous active definition of `v`. Versions without approval are no base for a comparison. */
const before = `left join lateral (
  select b.* from svc.query_versions b
   where b.query_id = v.query_id and b.version_number < v.version_number and b.status in ('Active', 'Archived')
   order by b.version_number desc limit 1) b on true`;

const changedParts = `array_remove(array[
  case when v.name <> b.name then 'Name' end,
  case when b.id is not null and v.description is distinct from b.description then 'Description' end,
  case when v.steps_hash <> b.steps_hash then 'Step' end,
  case when b.id is not null and v.final_query_hash is distinct from b.final_query_hash then 'FinalQuery' end,
  case when v.parameters_hash <> b.parameters_hash then 'Parameter' end
], null)`;

/** Decision about a version. A request that its requester withdrew has no decision. */
const decision = `left join svc.approval_requests c on c.query_version_id = v.id and c.status in ('Approved', 'Rejected')
  left join svc.users du on du.id = c.decided_by_user_id`;
const decider = 'coalesce(du.display_name, du.user_name, c.decided_by_host_user)';

const listColumns = `v.id, v.query_id as "queryId", v.version_number as "versionNumber", v.status,
  v.change_source as "changeSource", v.change_reason as "changeReason", r.version_number as "restoredFromNumber",
  ${changedParts} as "changedParts", coalesce(u.display_name, u.user_name) as "createdByUserName",
  v.created_time as "createdTime", ${decider} as "decidedByUserName", c.decided_at as "decidedAt",
  c.comment as "decisionComment"`;

const joins = `${before}
  ${decision}
  left join svc.query_versions r on r.id = v.restored_from_id
  left join svc.users u on u.id = v.created_by_user_id`;

/** Returns one page of the versions of a query. Changed parts are computed only for the rows of the page. */
export async function listVersions(
  executor: Executor,
  queryId: number,
  page: PageRequest,
): Promise<{ rows: VersionListRow[]; totalCount: number }> {
  const { rows } = await executor.query<VersionListRow>(
    `select ${listColumns} from (
       select * from svc.query_versions v where v.query_id = $1 order by ${orderBy(page)} limit $2 offset $3) v
     ${joins} order by ${orderBy(page)}`,
    [queryId, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    'select count(*)::int as count from svc.query_versions where query_id = $1',
    [queryId],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function findVersion(executor: Executor, id: number): Promise<VersionRow | undefined> {
  const { rows } = await executor.query<VersionRow>(
    `select ${listColumns}, v.name, v.description, v.steps, v.final_query as "finalQuery", v.parameters
       from svc.query_versions v ${joins} where v.id = $1`,
    [id],
  );
  return rows[0];
}

/** Returns the given data sources that are linked to the project. */
export async function linkedSources(
  executor: Executor,
  projectId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly name: string; readonly engine: string }>> {
  const { rows } = await executor.query<{ id: number; name: string; engine: string }>(
    `select d.id, d.name, d.engine from svc.project_data_sources l
       join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null
      where l.project_id = $1 and d.id = any($2::int[])`,
    [projectId, ids],
  );
  return new Map(rows.map(({ id, name, engine }) => [id, { name, engine }]));
}

export type ChangeFilter = {
  readonly stepKey: string | null;
  readonly source: QueryVersionSource | null;
  readonly from: string | null;
  readonly to: string | null;
};

/** SQL of one step without its position: moving a step does not change its content. */
const stepOf = (version: string): string =>
  `(select s - 'order' from jsonb_array_elements(${version}.steps) s where s ->> 'key' = lower($2))`;

/**
 * Versions, and events without a version. Events have neither a source nor steps, so a filter on either excludes them.
 */
const entries = `
  select 'Version' as kind, v.id::bigint as id, v.created_time as at from svc.query_versions v ${before}
   where v.query_id = $1 and ($3::text is null or v.change_source = $3)
     and ($2::text is null or ${stepOf('v')} is distinct from ${stepOf('b')})
     and ($4::timestamptz is null or v.created_time >= $4) and ($5::timestamptz is null or v.created_time < $5)
  union all
  select c.kind, c.id, c.at from svc.query_changes c
   where c.query_id = $1 and $2::text is null and $3::text is null
     and ($4::timestamptz is null or c.at >= $4) and ($5::timestamptz is null or c.at < $5)`;

/** Returns one page of the history of a query. */
export async function listChanges(
  executor: Executor,
  queryId: number,
  filter: ChangeFilter,
  page: PageRequest,
): Promise<{ rows: ChangeRow[]; totalCount: number }> {
  const filterValues = [queryId, filter.stepKey, filter.source, filter.from, filter.to];
  const { rows } = await executor.query<ChangeRow>(
    `select e.id, e.kind, coalesce(v.id, pv.id) as "versionId",
       coalesce(v.version_number, pv.version_number) as "versionNumber", v.change_source as source,
       coalesce(u.display_name, u.user_name) as "byUserName", v.change_reason as reason,
       v.status, ${decider} as "decidedByUserName", ${changedParts} as parts, e.at
     from (select * from (${entries}) e order by ${orderBy(page)}, e.kind limit $6 offset $7) e
     left join svc.query_versions v on e.kind = 'Version' and v.id = e.id
     ${before}
     ${decision}
     left join svc.query_changes a on e.kind <> 'Version' and a.id = e.id
     left join svc.query_versions pv on pv.id = a.version_id
     left join svc.users u on u.id = coalesce(v.created_by_user_id, a.by_user_id)
     order by ${orderBy(page)}, e.kind`,
    [...filterValues, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from (${entries}) e`,
    filterValues,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}
