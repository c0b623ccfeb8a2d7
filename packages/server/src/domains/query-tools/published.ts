import type { Executor } from '../../platform/db/index.ts';
import {
  type OpenDataSources,
  planOf,
  type SavedQuery,
  type SavedQueryPlan,
  type VersionDefinition,
} from '../queries/index.ts';
import { toolNameOf } from './offer.ts';

/** A published query as it was when somebody vouched for it: a saved query whose definition is that of one version. */
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

/** The tools of these projects, those first that were published first: one more changes nothing for clients. */
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

/** Published queries of a project by name; it asks nobody's permission. `text`: part of the name or the description. */
export async function listPublishedQueries(
  executor: Executor,
  projectId: number,
  filter: { readonly text?: string | undefined; readonly limit: number; readonly offset: number },
): Promise<{ queries: PublishedQuery[]; totalCount: number }> {
  const chosen = `${from} and q.project_id = $1 and ($2::text is null
    or position(lower($2) in lower(v.name || ' ' || coalesce(t.description, v.description, ''))) > 0)`;
  const values = [projectId, filter.text ?? null];
  const { rows } = await executor.query<PublishedRow>(
    `${select} ${chosen} order by lower(v.name) collate "C", q.id limit $3 offset $4`,
    [...values, filter.limit, filter.offset],
  );
  const counted = await executor.query<{ count: number }>(`select count(*)::int as count ${chosen}`, values);
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

/** A published query by the name of its tool. */
export const findPublishedTool = (executor: Executor, toolName: string) =>
  findOne(executor, `$1 = '${toolNameOf('')}' || t.name`, [toolName]);

/** A published query of a project by its id, or by its whole name; of several with one name the first. */
export const findPublishedQuery = (executor: Executor, projectId: number, wanted: number | string) =>
  typeof wanted === 'number'
    ? findOne(executor, 'q.project_id = $1 and q.id = $2', [projectId, wanted])
    : findOne(executor, 'q.project_id = $1 and lower(v.name) = lower($2)', [projectId, wanted.trim()]);

/** Plans the version that is published, whatever the query says now. */
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
