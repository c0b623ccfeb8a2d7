import type { NotificationTrigger, RunStatus } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import type { RunReason } from '../run-history/index.ts';

/** What the pipeline needs to know of a run and its subscription. */
export type RunToExecute = {
  id: number;
  subscriptionId: number;
  queryId: number;
  queryName: string;
  projectId: number;
  status: RunStatus;
  notificationTrigger: NotificationTrigger;
  minimumRowCount: number | null;
  maxRows: number | null;
  timeoutSeconds: number | null;
  showQuery: boolean;
  storeResults: boolean;
  /** The format of the attachment; null when there is none. */
  attachmentFormat: 'Csv' | 'Xlsx' | null;
  parameters: Record<string, unknown>;
  messageSealed: string | null;
};

/**
 * Makes the run of a tick, once however many processes see it. Undefined when the subscription is archived.
 * A subscription that was deleted in between makes none.
 */
export async function ensureScheduledRun(
  executor: Executor,
  subscriptionId: number,
  dueAt: Date,
  job: { id: string; traceId: string },
): Promise<number | undefined> {
  const { rows } = await executor.query<{ id: number }>({
    name: 'runs-ensure-scheduled',
    text: `with made as (
        insert into svc.runs (subscription_id, query_id, origin, due_at, job_id, trace_id)
        select s.id, s.query_id, 'Schedule', $2, $3, $4 from svc.subscriptions s where s.id = $1 and s.archived_at is null
        on conflict (subscription_id, due_at) where origin = 'Schedule' do nothing
        returning id)
      select id from made
      union all
      select id from svc.runs where subscription_id = $1 and due_at = $2 and origin = 'Schedule'
      limit 1`,
    values: [subscriptionId, dueAt, job.id, job.traceId],
  });
  return rows[0]?.id;
}

export async function insertTestRun(
  tx: Tx,
  run: { subscriptionId: number; queryId: number; userId: number | null; traceId: string },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.runs (subscription_id, query_id, origin, due_at, started_by_user_id, trace_id)
     values ($1, $2, 'Test', now(), $3, $4) returning id`,
    [run.subscriptionId, run.queryId, run.userId, run.traceId],
  );
  const [row] = rows;
  if (!row) throw new Error('One run was inserted without an id.');
  return row.id;
}

export async function setJob(tx: Tx, runId: number, jobId: string): Promise<void> {
  await tx.query('update svc.runs set job_id = $2 where id = $1', [runId, jobId]);
}

export async function loadRun(executor: Executor, runId: number): Promise<RunToExecute | undefined> {
  const { rows } = await executor.query<RunToExecute>({
    name: 'runs-load',
    text: `select r.id, r.subscription_id as "subscriptionId", r.query_id as "queryId", q.name as "queryName",
        q.project_id as "projectId", r.status,
        s.notification_trigger as "notificationTrigger", s.minimum_row_count as "minimumRowCount", s.max_rows as "maxRows",
        s.timeout_seconds as "timeoutSeconds", s.show_query as "showQuery", s.store_results as "storeResults",
        case when s.include_attachment then coalesce(s.attachment_format, 'Csv') end as "attachmentFormat",
        s.parameters, r.message_sealed as "messageSealed"
      from svc.runs r join svc.subscriptions s on s.id = r.subscription_id join svc.queries q on q.id = r.query_id
      where r.id = $1`,
    values: [runId],
  });
  return rows[0];
}

export async function markStarted(executor: Executor, runId: number): Promise<void> {
  await executor.query({
    name: 'runs-mark-started',
    text: 'update svc.runs set started_at = coalesce(started_at, now()) where id = $1',
    values: [runId],
  });
}

/** Row count of the last run before this one that was not skipped and has a count. */
export async function previousResultCount(
  executor: Executor,
  subscriptionId: number,
  runId: number,
): Promise<number | null> {
  const { rows } = await executor.query<{ resultCount: number }>({
    name: 'runs-previous-count',
    text: `select result_count as "resultCount" from svc.runs
      where subscription_id = $1 and id < $2 and status not in ('Created', 'Skipped') and result_count is not null
      order by created_time desc, id desc limit 1`,
    values: [subscriptionId, runId],
  });
  return rows[0]?.resultCount ?? null;
}

export type Execution = {
  readonly executionTimeMs: number;
  readonly resultCount: number;
  readonly previousResultCount: number | null;
  readonly storedResults: string | null;
  readonly messageSealed: string | null;
};

/** Keeps what the query said, before anybody is told. */
export async function saveExecution(executor: Executor, runId: number, execution: Execution): Promise<void> {
  await executor.query({
    name: 'runs-save-execution',
    text: `update svc.runs set execution_time_ms = $2, result_count = $3, previous_result_count = $4,
        stored_results = $5, message_sealed = $6 where id = $1`,
    values: [
      runId,
      execution.executionTimeMs,
      execution.resultCount,
      execution.previousResultCount,
      execution.storedResults,
      execution.messageSealed,
    ],
  });
}

/** Keeps which data sources a run reads, before it reads them: this decides who sees the run. */
export async function saveDataSources(
  executor: Executor,
  runId: number,
  dataSourceIds: readonly number[],
): Promise<void> {
  await executor.query({
    name: 'runs-save-sources',
    text: 'update svc.runs set data_source_ids = $2 where id = $1',
    values: [runId, dataSourceIds],
  });
}

/** Whom the end of a run is told to. */
export type EndedRun = {
  subscriptionId: number;
  ownerUserId: number | null;
  startedByUserId: number | null;
  /** The run before it ended in the same way: what is to be said was said then. */
  isRepetition: boolean;
};

/** Ends a run. Undefined when it has ended already: it stays as it is. */
export async function finishRun(
  executor: Executor,
  runId: number,
  status: Exclude<RunStatus, 'Created'>,
  reason: RunReason | null,
): Promise<EndedRun | undefined> {
  const { reason: word, ...facts } = reason ?? { reason: null };
  const { rows } = await executor.query<EndedRun>({
    name: 'runs-finish',
    text: `update svc.runs r set status = $2, reason = $3, reason_detail = $4, finished_at = now()
      from svc.subscriptions s
      where r.id = $1 and r.status = 'Created' and s.id = r.subscription_id
      returning r.subscription_id as "subscriptionId", s.owner_user_id as "ownerUserId",
        r.started_by_user_id as "startedByUserId",
        coalesce((select p.status = $2 and p.reason is not distinct from $3 from svc.runs p
          where p.subscription_id = r.subscription_id and p.id < r.id and p.status not in ('Created', 'Skipped')
          order by p.id desc limit 1), false) as "isRepetition"`,
    values: [runId, status, word, word === null ? null : JSON.stringify(facts)],
  });
  return rows[0];
}

/** Runs that were made and whose job is over without having ended them. */
export async function abandonedRuns(executor: Executor, olderThanSeconds: number): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select r.id from svc.runs r
     where r.status = 'Created' and r.created_time < now() - $1 * interval '1 second'
       and not exists (select from svc_jobs.job j where j.id = r.job_id and j.state not in ('Completed', 'Failed', 'Cancelled'))
     limit 1000`,
    [olderThanSeconds],
  );
  return rows.map((row) => row.id);
}
