import { sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import type { ScheduleCount, ScheduleGroup } from './schedule-load.ts';

export type ScheduleFilter = {
  readonly projectId?: number | undefined;
  readonly dataSourceId?: number | undefined;
};

/** Reads the schedules of the given projects by data source, with the number of runs of each. Null: all projects. */
export async function readSchedules(
  executor: Executor,
  projectIds: readonly number[] | null,
  { projectId, dataSourceId }: ScheduleFilter,
): Promise<{ groups: ScheduleGroup[]; counts: ScheduleCount[] }> {
  const scheduled = sql`scheduled as materialized (
    select k.* from (
      select 'Subscription' as kind, s.id, q.name, q.project_id, s.cron_expression, s.time_zone,
        array(select distinct st.data_source_id from svc.query_steps st where st.query_id = q.id) as source_ids
      from svc.subscriptions s join svc.queries q on q.id = s.query_id
      where s.archived_at is null and s.paused_at is null
      union all
      select 'Contract', c.id, c.name, c.project_id, c.cron_expression, c.time_zone, array[c.data_source_id]
      from svc.data_contracts c where c.archived_at is null and c.is_enabled and c.cron_expression is not null) k
    join svc.projects p on p.id = k.project_id and p.archived_at is null
    where (${projectIds}::int[] is null or k.project_id = any(${projectIds}::int[]))
      and (${projectId ?? null}::int is null or k.project_id = ${projectId ?? null}::int)
      and (${dataSourceId ?? null}::int is null or ${dataSourceId ?? null}::int = any(k.source_ids)))`;
  const [groups, counts] = await Promise.all([
    sql<ScheduleGroup>`with ${scheduled}
      select k.cron_expression as "cronExpression", k.time_zone as "timeZone", d.id as "dataSourceId",
        d.name as "dataSourceName",
        json_agg(json_build_object('kind', k.kind, 'id', k.id, 'name', k.name) order by k.name collate "C", k.id) as subjects
      from scheduled k cross join unnest(k.source_ids) as source (id) join svc.data_sources d on d.id = source.id
      where ${dataSourceId ?? null}::int is null or d.id = ${dataSourceId ?? null}::int
      group by k.cron_expression, k.time_zone, d.id, d.name`.execute(executor.kysely),
    sql<ScheduleCount>`with ${scheduled}
      select k.cron_expression as "cronExpression", k.time_zone as "timeZone", count(*)::int as "subjectCount"
      from scheduled k group by k.cron_expression, k.time_zone
      order by count(*) desc, k.cron_expression, k.time_zone`.execute(executor.kysely),
  ]);
  return { groups: groups.rows, counts: counts.rows };
}
