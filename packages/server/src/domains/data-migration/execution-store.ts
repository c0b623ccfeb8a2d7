import type { MigrationReason, MigrationStatus } from '@svc/contract';
import type { CopyOutcome, CopyProgress, RejectedRow } from '../../gateways/copy-data/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import type { JobDefinition } from './store.ts';

export type ExecutionRow = {
  readonly id: number;
  readonly createdTime: Date;
  readonly migrationJobId: number;
  readonly name: string;
  readonly status: MigrationStatus;
  readonly stage: 'Validating' | 'Copying' | 'Applying' | 'Committing' | null;
  readonly reason: MigrationReason | null;
  readonly message: string | null;
  readonly trigger: 'Schedule' | 'Manual' | 'Retry';
  readonly isTrial: boolean;
  readonly attempt: number;
  readonly retryOf: number | null;
  readonly definition: JobDefinition;
  readonly take: number;
  readonly stagingId: string;
  readonly rowsRead: number;
  readonly bytesRead: number;
  readonly estimatedRows: number | null;
  readonly rowsInserted: number;
  readonly rowsUpdated: number;
  readonly rowsUnchanged: number;
  readonly rowsDeleted: number;
  readonly rowsRejected: number;
  readonly unmaskedColumns: string[];
  readonly watermark: string | null;
  readonly startedByUserId: number | null;
  readonly jobId: string | null;
  readonly traceId: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

const columns = `e.id, e.created_time as "createdTime", e.migration_job_id as "migrationJobId",
  e.definition->>'name' as name, e.status, e.stage, e.reason, e.message, e.trigger, e.is_trial as "isTrial", e.attempt,
  e.retry_of as "retryOf", e.definition, e.take, e.staging_id as "stagingId", e.rows_read as "rowsRead",
  e.bytes_read as "bytesRead", e.estimated_rows as "estimatedRows", e.rows_inserted as "rowsInserted", e.rows_updated as "rowsUpdated",
  e.rows_unchanged as "rowsUnchanged", e.rows_deleted as "rowsDeleted", e.rows_rejected as "rowsRejected",
  e.unmasked_columns as "unmaskedColumns", e.watermark, e.started_by_user_id as "startedByUserId",
  e.job_id::text as "jobId", e.trace_id as "traceId", e.started_at as "startedAt", e.finished_at as "finishedAt"`;

export type NewExecution = {
  readonly migrationJobId: number;
  readonly definition: JobDefinition;
  readonly trigger: ExecutionRow['trigger'];
  readonly isTrial: boolean;
  readonly attempt: number;
  readonly retryOf: number | null;
  readonly startedByUserId: number | null;
  readonly traceId: string | null;
  /** Due time of a scheduled copy; null means now. */
  readonly dueAt: Date | null;
};

/** Returns undefined when this tick already has an execution. */
export async function insertExecution(tx: Tx, made: NewExecution): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.migration_executions (migration_job_id, definition, destination_data_source_id, trigger, is_trial,
        attempt, retry_of, started_by_user_id, trace_id, created_time)
      select $1, $2::jsonb, $3, $4, $5, $6, $7, $8, $9, coalesce($10::timestamptz, now())
      where $10::timestamptz is null or not exists (select from svc.migration_executions
        where migration_job_id = $1 and created_time = $10 and trigger = 'Schedule')
      returning id`,
    [
      made.migrationJobId,
      JSON.stringify(made.definition),
      made.definition.destinationDataSourceId,
      made.trigger,
      made.isTrial,
      made.attempt,
      made.retryOf,
      made.startedByUserId,
      made.traceId,
      made.dueAt,
    ],
  );
  return rows[0]?.id;
}

export type SlotExecution = Pick<ExecutionRow, 'id' | 'status' | 'definition'> & {
  /** The background job of the execution is unfinished. */
  readonly isWorkedOn: boolean;
};

/** Finds the copy that a schedule created for a slot. The caller must have locked the migration job. */
export async function findExecutionOfSlot(
  tx: Tx,
  migrationJobId: number,
  slotAt: Date,
): Promise<SlotExecution | undefined> {
  const { rows } = await tx.query<SlotExecution>(
    `select e.id, e.status, e.definition, exists (select from svc_jobs.job j
         where j.id = e.job_id and j.state not in ('Completed', 'Failed', 'Cancelled')) as "isWorkedOn"
       from svc.migration_executions e
       where e.migration_job_id = $1 and e.created_time = $2 and e.trigger = 'Schedule' for no key update`,
    [migrationJobId, slotAt],
  );
  return rows[0];
}

export async function setJobId(tx: Tx, id: number, jobId: string): Promise<void> {
  await tx.query('update svc.migration_executions set job_id = $2 where id = $1', [id, jobId]);
}

/** Returns true when the job has an execution that waits or runs. */
export async function hasOpenExecution(executor: Executor, migrationJobId: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `select from svc.migration_executions where migration_job_id = $1 and status in ('Queued', 'Running') limit 1`,
    [migrationJobId],
  );
  return (rowCount ?? 0) > 0;
}

export async function findExecution(executor: Executor, id: number): Promise<ExecutionRow | undefined> {
  const { rows } = await executor.query<ExecutionRow>(
    `select ${columns} from svc.migration_executions e where e.id = $1`,
    [id],
  );
  return rows[0];
}

export type ExecutionFilter = {
  readonly migrationJobId: number | null;
  readonly status: MigrationStatus | null;
  readonly from: string | null;
  readonly to: string | null;
};

export const executionSortable: Sortable = { createdTime: 'e.created_time' };

export async function listExecutions(
  executor: Executor,
  filter: ExecutionFilter,
  page: PageRequest,
): Promise<{ rows: ExecutionRow[]; totalCount: number }> {
  const matches = `($1::int is null or e.migration_job_id = $1) and ($2::text is null or e.status = $2)
    and ($3::timestamptz is null or e.created_time >= $3) and ($4::timestamptz is null or e.created_time < $4)`;
  const values = [filter.migrationJobId, filter.status, filter.from, filter.to];
  const { rows } = await executor.query<ExecutionRow>(
    `select ${columns} from svc.migration_executions e where ${matches} order by ${orderBy(page)} limit $5 offset $6`,
    [...values, page.limit, page.offset],
  );
  const { rows: counted } = await executor.query<{ count: number }>(
    `select count(*)::int as count from svc.migration_executions e where ${matches}`,
    values,
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}

/**
 * Claims an execution. From then on, writes of earlier claims have no effect. Returns undefined when the execution has
 * ended.
 */
export async function takeExecution(executor: Executor, id: number): Promise<ExecutionRow | undefined> {
  const { rows } = await executor.query<ExecutionRow>(
    `update svc.migration_executions e set take = take + 1, status = 'Running', started_at = coalesce(started_at, now()),
        has_staging = true
      where id = $1 and status in ('Queued', 'Running') returning ${columns}`,
    [id],
  );
  return rows[0];
}

/** An execution as one process has claimed it. */
export type Taken = Pick<ExecutionRow, 'id' | 'take'>;

const ofTake = `where id = $1 and take = $2 and status = 'Running'`;

/** Stores the row estimate of the source, once per claim. */
export async function setEstimate(executor: Executor, { id, take }: Taken, rows: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.migration_executions set estimated_rows = $3 ${ofTake}`,
    [id, take, Math.round(rows)],
  );
  return (rowCount ?? 0) > 0;
}

export async function setStage(executor: Executor, { id, take }: Taken, stage: string): Promise<boolean> {
  const { rowCount } = await executor.query(`update svc.migration_executions set stage = $3 ${ofTake}`, [
    id,
    take,
    stage,
  ]);
  return (rowCount ?? 0) > 0;
}

const mayWrite = `exists (select from svc.data_sources d where d.id = e.destination_data_source_id
  and d.archived_at is null and d.are_migration_writes_allowed)`;

export type Told = { readonly isCancelAsked: boolean; readonly mayWrite: boolean };

/** Stores the progress. Returns whether the copy must end; undefined when another process has claimed it. */
export async function setProgress(
  executor: Executor,
  { id, take }: Taken,
  { rowsRead, bytesRead, rowsRejected }: CopyProgress,
): Promise<Told | undefined> {
  const { rows } = await executor.query<Told>(
    `update svc.migration_executions e set rows_read = $3, bytes_read = $4, rows_rejected = $5 ${ofTake}
      returning cancel_asked_at is not null as "isCancelAsked",
        ${mayWrite} as "mayWrite"`,
    [id, take, rowsRead, bytesRead, rowsRejected],
  );
  return rows[0];
}

/** Returns whether the copy must end; undefined when another process has claimed it. */
export async function readTold(executor: Executor, { id, take }: Taken): Promise<Told | undefined> {
  const { rows } = await executor.query<Told>(
    `select cancel_asked_at is not null as "isCancelAsked", ${mayWrite} as "mayWrite"
      from svc.migration_executions e ${ofTake}`,
    [id, take],
  );
  return rows[0];
}

/** Stores the expected outcome before the commit. The stage of a trial does not change. */
export async function setOutcome(
  executor: Executor,
  { id, take, isTrial }: Taken & Pick<ExecutionRow, 'isTrial'>,
  outcome: CopyOutcome,
): Promise<boolean> {
  const { counts } = outcome;
  const { rowCount } = await executor.query(
    `update svc.migration_executions set stage = $12, rows_read = $3, bytes_read = $4, rows_rejected = $5,
        rows_inserted = $6, rows_updated = $7, rows_unchanged = $8, rows_deleted = $9, watermark = $10,
        unmasked_columns = $11 ${ofTake}`,
    [
      id,
      take,
      outcome.rowsRead,
      outcome.bytesRead,
      outcome.rowsRejected,
      counts.inserted,
      counts.updated,
      counts.unchanged,
      counts.deleted,
      outcome.watermark,
      outcome.unmaskedColumns,
      isTrial ? 'Applying' : 'Committing',
    ],
  );
  return (rowCount ?? 0) > 0;
}

export type End = {
  readonly status: MigrationStatus;
  readonly reason: MigrationReason | null;
  readonly message: string | null;
};

/**
 * Ends an execution. A completed copy advances the job's watermark. Returns false when another process has claimed it.
 */
export async function endExecution(tx: Tx, { id, take }: Taken, end: End): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.migration_executions set status = $3, reason = $4, message = $5, finished_at = now() ${ofTake}`,
    [id, take, end.status, end.reason, end.message],
  );
  return (rowCount ?? 0) > 0;
}

/** Sets the watermark of the job to the watermark of a completed copy. */
export async function moveWatermark(tx: Tx, id: number): Promise<void> {
  await tx.query(
    `update svc.migration_jobs j set watermark = e.watermark from svc.migration_executions e
      where e.id = $1 and j.id = e.migration_job_id and e.watermark is not null
        and e.definition->'incremental' = j.incremental`,
    [id],
  );
}

export async function setClean(executor: Executor, id: number): Promise<void> {
  await executor.query('update svc.migration_executions set has_staging = false where id = $1', [id]);
}

export async function askToCancel(tx: Tx, id: number): Promise<'Cancelled' | 'Asked' | 'Ended'> {
  const { rows } = await tx.query<{ status: MigrationStatus }>(
    `update svc.migration_executions set cancel_asked_at = now(),
        status = case status when 'Queued' then 'Cancelled' else status end,
        reason = case status when 'Queued' then 'cancelled' end,
        finished_at = case status when 'Queued' then now() end
      where id = $1 and status in ('Queued', 'Running') returning status`,
    [id],
  );
  if (!rows[0]) return 'Ended';
  return rows[0].status === 'Cancelled' ? 'Cancelled' : 'Asked';
}

export async function insertRejected(
  executor: Executor,
  id: number,
  firstNo: number,
  rows: readonly RejectedRow[],
): Promise<void> {
  await executor.query(
    `insert into svc.migration_rejected_rows (execution_id, execution_created_time, no, row_number, key, column_name, code)
      select $1, e.created_time, $2 + r.ordinality - 1, r.row_number, left(r.key, 500), r.column_name, r.code
      from svc.migration_executions e,
        rows from (jsonb_to_recordset($3::jsonb) as (row_number bigint, key text, column_name text, code text))
          with ordinality as r (row_number, key, column_name, code, ordinality)
      where e.id = $1
      on conflict (execution_id, execution_created_time, no) do nothing`,
    [
      id,
      firstNo,
      JSON.stringify(
        rows.map(({ rowNumber, key, column, code }) => ({
          row_number: rowNumber,
          code,
          key: key?.replaceAll('\0', '') ?? null,
          column_name: column,
        })),
      ),
    ],
  );
}

/** Deletes rejected rows of an earlier claim. */
export async function clearRejected(executor: Executor, id: number): Promise<void> {
  await executor.query('delete from svc.migration_rejected_rows where execution_id = $1', [id]);
}

export type RejectedRowRow = { rowNumber: number; key: string | null; column: string | null; code: string };

export async function listRejected(
  executor: Executor,
  id: number,
  page: PageRequest,
): Promise<{ rows: RejectedRowRow[]; totalCount: number }> {
  const { rows } = await executor.query<RejectedRowRow>(
    `select row_number as "rowNumber", key, column_name as column, code from svc.migration_rejected_rows r
      where execution_id = $1 order by ${orderBy(page)} limit $2 offset $3`,
    [id, page.limit, page.offset],
  );
  const { rows: counted } = await executor.query<{ count: number }>(
    'select count(*)::int as count from svc.migration_rejected_rows where execution_id = $1',
    [id],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}

export type LeftStaging = Pick<ExecutionRow, 'id' | 'take' | 'stagingId' | 'definition'>;

/** Returns ended executions whose staging tables may still exist at the destination. */
export async function leftStaging(executor: Executor, limit: number): Promise<LeftStaging[]> {
  const { rows } = await executor.query<LeftStaging>(
    `select e.id, e.take, e.staging_id as "stagingId", e.definition from svc.migration_executions e
      where e.has_staging and e.status not in ('Queued', 'Running') order by e.id limit $1`,
    [limit],
  );
  return rows;
}

/** Returns open executions whose background job has ended. */
export async function abandonedExecutions(executor: Executor): Promise<Taken[]> {
  const { rows } = await executor.query<Taken>(
    `select e.id, e.take from svc.migration_executions e
      where e.status in ('Queued', 'Running') and e.created_time < now() - interval '2 minutes'
        and not exists (select from svc_jobs.job j where j.id = e.job_id
          and j.state not in ('Completed', 'Failed', 'Cancelled'))`,
  );
  return rows;
}
