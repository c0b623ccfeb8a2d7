import type { Executor } from '../../platform/db/index.ts';
import {
  type OpenDataSources,
  planOf,
  type SavedQuery,
  type SavedQueryPlan,
  type VersionDefinition,
} from '../queries/index.ts';
import { toolNameOf } from './offer.ts';

/** Published query: a saved query with the definition of its published version. */
export type PublishedQuery = SavedQuery & {
  readonly toolName: string;
  readonly projectName: string;
  readonly versionId: number;
  readonly versionNumber: number;
  readonly finalQuery: string | null;
  readonly steps: VersionDefinition['steps'];
};

type PublishedRow = Omit<PublishedQuery, 'toolName' | 'statements'> & { readonly tool: string };

const select = `select q.id, q.project_id as "projectId", p.name as "projectName", t.name as tool, v.name,
    coalesce(t.description, v.description) as description, q.version, v.id as "versionId",
    v.version_number as "versionNumber", v.parameters, v.steps, v.final_query as "finalQuery",
    array(select distinct d.name from jsonb_array_elements(v.steps) s
      join svc.project_data_sources l on l.project_id = q.project_id and l.data_source_id = (s ->> 'dataSourceId')::int
      join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null order by d.name) as "dataSourceNames"`;
const from = `from svc.query_tools t
    join svc.queries q on q.id = t.query_id and q.archived_at is null
    join svc.projects p on p.id = q.project_id and p.archived_at is null
    join svc.query_versions v on v.id = t.version_id
   where t.is_enabled`;

const present = ({ tool, ...row }: PublishedRow): PublishedQuery => ({
  ...row,
  toolName: toolNameOf(tool),
  statements: [...row.steps.map((step) => step.sql), ...(row.finalQuery ? [row.finalQuery] : [])],
});

/**
 * Returns the published queries of these projects, in the order of their publication. With this order, a further
 * publication does not change the tools that clients have.
 */
export async function offeredQueries(
  executor: Executor,
  projectIds: readonly number[],
  limit: number,
): Promise<PublishedQuery[]> {
  const { rows } = await executor.query<PublishedRow>(
    `${select} ${from} and q.project_id = any($1::int[]) order by t.enabled_at, t.query_id limit $2`,
    [projectIds, limit],
  );
  return rows.map(present);
}

/**
 * Returns published queries of a project, ordered by name, without a check of rights. `text`: part of the name or the
 * description.
 */
export async function listPublishedQueries(
  executor: Executor,
  projectId: number,
  filter: { readonly text?: string | undefined; readonly limit: number; readonly offset: number },
): Promise<{ queries: PublishedQuery[]; totalCount: number }> {
  const matching = `${from} and q.project_id = $1 and ($2::text is null
    or position(lower($2) in lower(v.name || ' ' || coalesce(t.description, v.description, ''))) > 0)`;
  const values = [projectId, filter.text ?? null];
  const { rows } = await executor.query<PublishedRow>(
    `${select} ${matching} order by lower(v.name) collate "C", q.id limit $3 offset $4`,
    [...values, filter.limit, filter.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count ${matching}`,
    values,
  );
  return { queries: rows.map(present), totalCount: counted.rows[0]?.count ?? 0 };
}

async function findOne(
  executor: Executor,
  condition: string,
  values: (number | string)[],
): Promise<PublishedQuery | undefined> {
  const { rows } = await executor.query<PublishedRow>(
    `${select} ${from} and ${condition} order by q.id limit 1`,
    values,
  );
  return rows[0] && present(rows[0]);
}

/** Finds a published query by the name of its tool. */
export const findPublishedTool = (executor: Executor, toolName: string) =>
  findOne(executor, `$1 = '${toolNameOf('')}' || t.name`, [toolName]);

/**
 * Finds a published query of a project by its id or its full name (case-insensitive). If several queries have the name,
 * it returns the one with the lowest id.
 */
export const findPublishedQuery = (executor: Executor, projectId: number, idOrName: number | string) =>
  typeof idOrName === 'number'
    ? findOne(executor, 'q.project_id = $1 and q.id = $2', [projectId, idOrName])
    : findOne(executor, 'q.project_id = $1 and lower(v.name) = lower($2)', [projectId, idOrName.trim()]);

/** Plans the published version, regardless of the current definition. */
export async function planPublishedQuery(
  executor: Executor,
  query: PublishedQuery,
  openDataSources: OpenDataSources,
): Promise<SavedQueryPlan | 'SourceNotLinked'> {
  const plan = await planOf(executor, { ...query, parameters: [...query.parameters] }, openDataSources);
  return typeof plan === 'string'
    ? plan
    : { ...plan, versionId: query.versionId, versionNumber: query.versionNumber };
}
