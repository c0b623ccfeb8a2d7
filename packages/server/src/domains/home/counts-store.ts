import type { Executor } from '../../platform/db/index.ts';

export type CountsRow = {
  readonly dataSources: number;
  readonly dataSourcesWithWarnings: number;
  readonly projects: number;
  readonly queries: number;
  readonly activeSubscriptions: number;
  readonly openTasks: number;
};

/**
 * Returns the number of records in the given projects in one statement; null means all projects. Each count equals the
 * total of the list with the same name. Administrators of data sources also see sources outside readable projects.
 */
export async function readCounts(
  executor: Executor,
  { projectIds, seesAllSources }: { projectIds: readonly number[] | null; seesAllSources: boolean },
): Promise<CountsRow> {
  const { rows } = await executor.query<CountsRow>(
    `with reached as materialized (
       select p.id from svc.projects p where p.archived_at is null and ($1::int[] is null or p.id = any($1))),
     asked as materialized (
       select q.id from svc.queries q join reached p on p.id = q.project_id where q.archived_at is null)
     select (select count(*)::int from reached) as projects, (select count(*)::int from asked) as queries,
       (select count(*)::int from svc.data_sources d where d.archived_at is null and ($2 or exists (
          select from svc.project_data_sources l join reached p on p.id = l.project_id
          where l.data_source_id = d.id))) as "dataSources",
       (select count(*)::int from svc.data_sources d where $2 and d.archived_at is null
          and d.privileged_login = 'Tolerated') as "dataSourcesWithWarnings",
       (select count(*)::int from svc.subscriptions s join svc.queries q on q.id = s.query_id
         where s.archived_at is null and ($1::int[] is null or q.project_id = any($1))) as "activeSubscriptions",
       (select count(*)::int from svc.tasks t where t.state = 'Open' and ($1::int[] is null or t.project_id = any($1))
          and not coalesce(t.snoozed_until > now(), false)) as "openTasks"`,
    [projectIds, seesAllSources],
  );
  const [row] = rows;
  if (!row) throw new Error('One row of figures was asked for.');
  return row;
}
