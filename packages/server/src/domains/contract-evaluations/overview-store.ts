import type { DataQualityOverview } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';

const tablesMax = 100;

/** Summarises the last evaluations of the live contracts of the given projects. Null: all projects. */
export async function readOverview(
  executor: Executor,
  projectIds: readonly number[] | null,
): Promise<DataQualityOverview> {
  const last = `with last as (
    select c.data_source_id, c.schema_name, c.table_name, e.status, e.score
    from svc.data_contracts c left join lateral (
      select status, score from svc.contract_evaluations
      where contract_id = c.id and finished_at is not null order by id desc limit 1) e on true
    where c.archived_at is null and ($1::int[] is null or c.project_id = any($1::int[])))`;
  const { rows: counts } = await executor.query<Omit<DataQualityOverview, 'tables'>>(
    `${last} select count(*) as "contractCount", count(*) filter (where status = 'Passed') as "passedCount",
       count(*) filter (where status = 'Warned') as "warnedCount", count(*) filter (where status = 'Failed') as "failedCount",
       count(*) filter (where status = 'Error') as "errorCount", count(*) filter (where status is null) as "unevaluatedCount"
     from last`,
    [projectIds],
  );
  const { rows: tables } = await executor.query<DataQualityOverview['tables'][number]>(
    `${last} select l.data_source_id as "dataSourceId", d.name as "dataSourceName", l.schema_name as "schemaName",
       l.table_name as "tableName", count(*) as "contractCount", min(l.score) as score
     from last l join svc.data_sources d on d.id = l.data_source_id
     group by 1, 2, 3, 4 order by min(l.score) nulls last, lower(d.name), 3, 4 limit ${tablesMax}`,
    [projectIds],
  );
  const [counted] = counts;
  if (!counted) throw new Error('A count is one row.');
  return { ...counted, tables };
}
