import type { MigrationJob, MigrationJobInput, MigrationStatus } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

/** A stored job: every member has a value. */
export type JobDefinition = Required<MigrationJobInput>;

export type JobRow = JobDefinition & {
  readonly id: number;
  readonly dataSourceName: string;
  readonly destinationDataSourceName: string;
  readonly ownerUserId: number | null;
  readonly ownerName: string | null;
  readonly watermark: string | null;
  readonly isRunning: boolean;
  readonly missedFirstDueAt: Date | null;
  readonly missedLastDueAt: Date | null;
  readonly missedCount: number;
  readonly lastExecution: { id: number; status: MigrationStatus; createdTime: string } | null;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

export const jobSortable: Sortable = {
  name: 'lower(j.name) collate "C"',
  createdTime: 'j.created_time',
  updatedAt: 'j.updated_at',
};

const definitionColumns = `j.name, j.description, j.data_source_id as "dataSourceId", j.source,
  j.destination_data_source_id as "destinationDataSourceId",
  json_build_object('schema', j.destination_schema, 'table', j.destination_table) as destination,
  j.creates_table as "createsTable", j.mode, j.key_columns as "keyColumns", j.columns, j.incremental,
  j.personal_data as "personalData", j.on_rejected_row as "onRejectedRow", j.rejected_rows_max as "rejectedRowsMax",
  j.minimum_source_rows as "minimumSourceRows", j.deleted_share_max as "deletedShareMax",
  j.cron_expression as "cronExpression", j.time_zone as "timeZone", j.is_enabled as "isEnabled",
  j.retries_max as "retriesMax", j.timeout_minutes as "timeoutMinutes"`;

const selected = `select j.id, ${definitionColumns}, s.name as "dataSourceName", d.name as "destinationDataSourceName",
    j.owner_user_id as "ownerUserId", coalesce(o.display_name, o.user_name) as "ownerName", j.watermark,
    exists (select from svc.migration_executions e
             where e.migration_job_id = j.id and e.status in ('Queued', 'Running')) as "isRunning",
    (select json_build_object('id', e.id, 'status', e.status, 'createdTime', e.created_time)
       from svc.migration_executions e where e.migration_job_id = j.id
      order by e.created_time desc, e.id desc limit 1) as "lastExecution",
    j.missed_first_due_at as "missedFirstDueAt", j.missed_last_due_at as "missedLastDueAt",
    j.missed_count as "missedCount", j.created_time as "createdTime", j.updated_at as "updatedAt", j.version
  from svc.migration_jobs j join svc.data_sources s on s.id = j.data_source_id
    join svc.data_sources d on d.id = j.destination_data_source_id left join svc.users o on o.id = j.owner_user_id
  where j.archived_at is null`;

export async function listJobs(
  executor: Executor,
  search: string | null,
  page: PageRequest,
): Promise<{ rows: JobRow[]; totalCount: number }> {
  const matches = '($1::text is null or position(lower($1) in lower(j.name)) > 0)';
  const { rows } = await executor.query<JobRow>(
    `${selected} and ${matches} order by ${orderBy(page)} limit $2 offset $3`,
    [search, page.limit, page.offset],
  );
  const { rows: counted } = await executor.query<{ count: number }>(
    `select count(*)::int as count from svc.migration_jobs j where j.archived_at is null and ${matches}`,
    [search],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}

export async function findJob(executor: Executor, id: number): Promise<JobRow | undefined> {
  const { rows } = await executor.query<JobRow>(`${selected} and j.id = $1`, [id]);
  return rows[0];
}

/** Locks a live job until the transaction ends. Concurrent changes and starts wait. */
export async function lockJob(tx: Tx, id: number): Promise<{ version: number } | undefined> {
  const { rows } = await tx.query<{ version: number }>(
    'select version from svc.migration_jobs where id = $1 and archived_at is null for update',
    [id],
  );
  return rows[0];
}

const written = `name, description, data_source_id, source, destination_data_source_id, destination_schema,
  destination_table, creates_table, mode, key_columns, columns, incremental, personal_data, on_rejected_row,
  rejected_rows_max, minimum_source_rows, deleted_share_max, cron_expression, time_zone, is_enabled, retries_max,
  timeout_minutes`;
const writtenCount = 22;
const places = Array.from({ length: writtenCount }, (_, index) => `$${index + 1}`).join(', ');

const valuesOf = (job: JobDefinition): unknown[] => [
  job.name,
  job.description,
  job.dataSourceId,
  JSON.stringify(job.source),
  job.destinationDataSourceId,
  job.destination.schema,
  job.destination.table,
  job.createsTable,
  job.mode,
  job.keyColumns,
  job.columns && JSON.stringify(job.columns),
  job.incremental && JSON.stringify(job.incremental),
  job.personalData,
  job.onRejectedRow,
  job.rejectedRowsMax,
  job.minimumSourceRows,
  job.deletedShareMax,
  job.cronExpression,
  job.timeZone,
  job.isEnabled,
  job.retriesMax,
  job.timeoutMinutes,
];

export async function insertJob(tx: Tx, job: JobDefinition, userId: number | null): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.migration_jobs (${written}, owner_user_id, created_by_user_id)
      values (${places}, $${writtenCount + 1}, $${writtenCount + 1}) returning id`,
    [...valuesOf(job), userId],
  );
  const [row] = rows;
  if (!row) throw new Error('A job was to be inserted.');
  return row.id;
}

/**
 * Retains the watermark unless the source or the destination changes. A new schedule restarts the check for missed
 * copies.
 */
export async function updateJob(tx: Tx, id: number, job: JobDefinition): Promise<void> {
  await tx.query(
    `update svc.migration_jobs set (${written}) = (${places}), updated_at = now(), version = version + 1,
        watch_due_at = case when (cron_expression, time_zone, is_enabled)
          is not distinct from ($18::text, $19::text, $20::boolean) then watch_due_at end,
        watermark = case when (data_source_id, source, incremental, destination_data_source_id, destination_schema,
          destination_table) is not distinct from ($3::int, $4::jsonb, $12::jsonb, $5::int, $6::text, $7::text)
          then watermark end
      where id = $${writtenCount + 1}`,
    [...valuesOf(job), id],
  );
}

export async function archiveJob(tx: Tx, id: number): Promise<void> {
  await tx.query(
    'update svc.migration_jobs set archived_at = now(), updated_at = now(), version = version + 1 where id = $1',
    [id],
  );
}

export type SourceRow = Pick<MigrationJob, 'id' | 'name'> & {
  readonly engine: string;
  readonly areWritesAllowed: boolean;
};

const sourceColumns = 'id, name, engine, are_migration_writes_allowed as "areWritesAllowed"';

export async function readSources(executor: Executor, ids: readonly number[]): Promise<SourceRow[]> {
  const { rows } = await executor.query<SourceRow>(
    `select ${sourceColumns} from svc.data_sources where archived_at is null and id = any($1)`,
    [ids],
  );
  return rows;
}

export const sourceSortable: Sortable = { name: 'lower(name) collate "C"', engine: 'engine' };

export async function listSources(
  executor: Executor,
  search: string | null,
  page: PageRequest,
): Promise<{ rows: SourceRow[]; totalCount: number }> {
  const matches = 'archived_at is null and ($1::text is null or position(lower($1) in lower(name)) > 0)';
  const { rows } = await executor.query<SourceRow>(
    `select ${sourceColumns} from svc.data_sources where ${matches} order by ${orderBy(page)} limit $2 offset $3`,
    [search, page.limit, page.offset],
  );
  const { rows: counted } = await executor.query<{ count: number }>(
    `select count(*)::int as count from svc.data_sources where ${matches}`,
    [search],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}
