import type {
  AlertNews,
  AlertRule,
  AnomalyWatch,
  NotificationTrigger,
  QuietHours,
  RowMemory,
  RunStatus,
} from '@svc/contract';
import type { RunKey } from '../../gateways/send/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import type { Assessment } from '../anomalies/index.ts';
import { runUnderWay } from '../missed-runs/index.ts';
import type { RunReason, RunTimings } from '../run-history/index.ts';

/** Fields of a run and its subscription for the pipeline. */
export type RunToExecute = {
  id: number;
  dueAt: Date;
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
  createTasks: boolean;
  /** Format of the attachment; null without an attachment. */
  attachmentFormat: 'Csv' | 'Xlsx' | null;
  parameters: Record<string, unknown>;
  /** Rule for watching counts; null: counts are not watched. */
  anomaly: AnomalyWatch | null;
  /** Rule of the alert; null for every trigger except `WhileRows`. */
  alert: AlertRule | null;
  /** Rule for remembering rows; null for every trigger except `OnRowChange`. */
  rowMemory: RowMemory | null;
  /** Hours without notifications; null: none. */
  quietHours: QuietHours | null;
  /** Time until which its message is held; null: not held. */
  heldUntil: Date | null;
  isArchived: boolean;
  /** True when the message of another run is held. */
  hasHeld: boolean;
  timeZone: string;
  messageSealed: string | null;
  /** True when several messages replace its message. Each goes to some recipients or to all. */
  hasOwnMessages: boolean;
  origin: 'Schedule' | 'Test';
  /** True while a snooze prevents notifications. */
  isSnoozed: boolean;
};

export type SlotRun = { readonly id: number; readonly status: RunStatus };

/**
 * Creates the run of a slot, or returns the existing one. A slot has one run, regardless of the number of processes and
 * attempts. Returns undefined if the slot must have no run. Reasons: the previous run was in progress, or the
 * subscription is archived, paused or deleted.
 *
 * @param dueAt  The slot.
 */
export async function ensureScheduledRun(
  executor: Executor,
  subscriptionId: number,
  dueAt: Date,
  job: { id: string; traceId: string },
): Promise<SlotRun | undefined> {
  const { rows } = await executor.query<SlotRun>({
    name: 'runs-ensure-scheduled',
    text: `with made as (
        insert into svc.runs (subscription_id, query_id, project_id, data_source_ids, origin, due_at, job_id, trace_id)
        select s.id, s.query_id, q.project_id, '{}', 'Schedule', $2, $3, $4
        from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1 and s.archived_at is null
          and s.paused_at is null
          and not exists (select from svc.skipped_slots k where k.subscription_id = $1 and k.slot_at = $2)
          and (s.overlap = 'Queue' or not exists (${runUnderWay('$1', '$2')}))
        on conflict (subscription_id, due_at) where origin = 'Schedule' and subscription_id is not null do nothing
        returning id, status)
      select id, status from made
      union all
      select id, status from svc.runs where subscription_id = $1 and due_at = $2 and origin = 'Schedule'
      limit 1`,
    values: [subscriptionId, dueAt, job.id, job.traceId],
  });
  return rows[0];
}

export async function insertTestRun(
  tx: Tx,
  run: {
    readonly subscriptionId: number;
    readonly queryId: number;
    readonly userId: number | null;
    readonly traceId: string;
    /** Request that started the run. */
    readonly request: { readonly method: string; readonly route: string } | null;
  },
): Promise<RunKey> {
  const { rows } = await tx.query<{ id: number; dueAt: Date }>(
    `insert into svc.runs (subscription_id, query_id, project_id, data_source_ids, origin, due_at, started_by_user_id, trace_id, request)
     select $1, q.id, q.project_id, '{}', 'Test', date_trunc('milliseconds', now()), $3, $4, $5 from svc.queries q where q.id = $2
     returning id, due_at as "dueAt"`,
    [run.subscriptionId, run.queryId, run.userId, run.traceId, run.request && JSON.stringify(run.request)],
  );
  const [row] = rows;
  if (!row) throw new Error('One run was inserted without an id.');
  return row;
}

export async function setJob(tx: Tx, run: RunKey, jobId: string): Promise<void> {
  await tx.query('update svc.runs set job_id = $3 where id = $1 and due_at = $2', [run.id, run.dueAt, jobId]);
}

/** @param dueAt  Null when the caller knows only the id. The query then reads every month. */
export async function loadRun(
  executor: Executor,
  runId: number,
  dueAt: Date | null,
): Promise<RunToExecute | undefined> {
  const { rows } = await executor.query<RunToExecute>({
    name: dueAt === null ? 'runs-load-by-id' : 'runs-load',
    text: `select r.id, r.due_at as "dueAt", r.subscription_id as "subscriptionId", r.query_id as "queryId", q.name as "queryName",
        q.project_id as "projectId", r.status,
        s.notification_trigger as "notificationTrigger", s.minimum_row_count as "minimumRowCount", s.max_rows as "maxRows",
        s.timeout_seconds as "timeoutSeconds", s.show_query as "showQuery", s.store_results as "storeResults",
        s.create_tasks as "createTasks",
        case when s.include_attachment then coalesce(s.attachment_format, 'Csv') end as "attachmentFormat",
        s.parameters, s.anomaly, s.alert, s.row_memory as "rowMemory", s.quiet_hours as "quietHours", r.held_until as "heldUntil",
        s.archived_at is not null as "isArchived",
        exists (select from svc.runs h where h.subscription_id = s.id and h.held_until is not null
          and h.status = 'Created' and h.id <> r.id) as "hasHeld", s.time_zone as "timeZone", r.message_sealed as "messageSealed",
        exists (select from svc.run_messages m where m.run_id = r.id and m.run_due_at = r.due_at) as "hasOwnMessages", r.origin, coalesce(s.snoozed_until > now(), false) as "isSnoozed"
      from svc.runs r join svc.subscriptions s on s.id = r.subscription_id join svc.queries q on q.id = r.query_id
      where r.id = $1 and ${dueAt === null ? '$2::timestamptz is null' : 'r.due_at = $2'}`,
    values: [runId, dueAt],
  });
  return rows[0];
}

/**
 * Days before a run in which the previous run is searched first. This reads two months of runs; older ones only if
 * needed.
 */
const nearDays = 31;

type EarlierRun = {
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly resultCount: number | null;
  readonly unroutedCount: number | null;
};

/** Finds the last earlier run of a subscription with an outcome. */
async function runBefore(
  executor: Executor,
  subscriptionId: number,
  { id, dueAt }: RunKey,
  mustHaveCount: boolean,
): Promise<EarlierRun | undefined> {
  const near = new Date(dueAt.getTime() - nearDays * 86_400_000);
  // A run with a held message has its outcome, although it has not ended.
  const condition = `subscription_id = $1 and id < $2 and status <> 'Skipped'
    and (status <> 'Created' or held_until is not null)
    and (not $3 or result_count is not null)`;
  for (const [name, bound] of [
    ['near', 'due_at >= $4'],
    ['far', 'due_at < $4'],
  ] as const) {
    const { rows } = await executor.query<EarlierRun>({
      name: `runs-before-${name}`,
      text: `select status, reason, result_count as "resultCount", unrouted_count as "unroutedCount" from svc.runs
        where ${condition} and ${bound} order by due_at desc, id desc limit 1`,
      values: [subscriptionId, id, mustHaveCount, near],
    });
    if (rows[0]) return rows[0];
  }
  return undefined;
}

/** Returns the row count of the last earlier run that was not skipped and has a count. */
export async function previousResultCount(
  executor: Executor,
  subscriptionId: number,
  run: RunKey,
): Promise<number | null> {
  return (await runBefore(executor, subscriptionId, run, true))?.resultCount ?? null;
}

/** Returns true if the previous run also had rows without a recipient. */
export async function wasUnrouted(executor: Executor, subscriptionId: number, run: RunKey): Promise<boolean> {
  return ((await runBefore(executor, subscriptionId, run, true))?.unroutedCount ?? 0) > 0;
}

/** Returns true if the previous run ended in the same way, so that its notification covers this run. */
export async function isRepetition(
  executor: Executor,
  subscriptionId: number,
  run: RunKey,
  ended: { readonly status: RunStatus; readonly reason: string | null },
): Promise<boolean> {
  const before = await runBefore(executor, subscriptionId, run, false);
  return before?.status === ended.status && before.reason === ended.reason;
}

/** Outcome of a query. Counts and times are null after a timeout. */
export type Execution = {
  readonly executionTimeMs: number | null;
  /** Null if they are stored already. */
  readonly timings: RunTimings | null;
  readonly resultCount: number | null;
  /** Number of rows without a recipient; null when every recipient gets all rows. */
  readonly unroutedCount: number | null;
  readonly previousResultCount: number | null;
  readonly storedResults: string | null;
  readonly messageSealed: string | null;
  /** Null when counts are not watched, or too few exist. */
  readonly assessment: Assessment | null;
  /** Change of the alert in its message; null: none. */
  readonly alertNews: AlertNews | null;
  /** Time until which the message is held; null: it is sent immediately. */
  readonly heldUntil: Date | null;
};

/** Stores the outcome of the query, before any notification. */
export async function saveExecution(executor: Executor, run: RunKey, execution: Execution): Promise<void> {
  await executor.query({
    name: 'runs-save-execution',
    text: `update svc.runs set execution_time_ms = $3, result_count = $4, previous_result_count = $5,
        stored_results = $6, message_sealed = $7, expected_lower = $8, expected_upper = $9,
        anomaly_direction = $10, anomaly_severity = case when $10::text is not null then $11 end,
        anomaly_explanation = case when $10::text is not null then $12 end,
        execution = coalesce($13, execution), alert_news = $14,
        held_until = $15, held_at = case when $15::timestamptz is not null then now() end,
        unrouted_count = $16 where id = $1 and due_at = $2`,
    values: [
      run.id,
      run.dueAt,
      execution.executionTimeMs,
      execution.resultCount,
      execution.previousResultCount,
      execution.storedResults,
      execution.messageSealed,
      execution.assessment?.lower ?? null,
      execution.assessment?.upper ?? null,
      execution.assessment?.flagged ?? null,
      execution.assessment?.severity ?? null,
      execution.assessment?.explanation ?? null,
      execution.timings && JSON.stringify(execution.timings),
      execution.alertNews,
      execution.heldUntil,
      execution.unroutedCount,
    ],
  });
}

/** Stores the timing of a failed query. */
export async function saveTimings(executor: Executor, run: RunKey, timings: RunTimings): Promise<void> {
  await executor.query({
    name: 'runs-save-timings',
    text: 'update svc.runs set execution = $3 where id = $1 and due_at = $2',
    values: [run.id, run.dueAt, JSON.stringify(timings)],
  });
}

/**
 * Stores the sources and the version of a run before it reads them. The sources decide who may see the run. The version
 * identifies the SQL.
 */
export async function saveWhatIsRead(
  executor: Executor,
  run: RunKey,
  read: { readonly dataSourceIds: readonly number[]; readonly versionId: number | null },
): Promise<void> {
  await executor.query({
    name: 'runs-save-sources',
    text: 'update svc.runs set data_source_ids = $3, query_version_id = $4 where id = $1 and due_at = $2',
    values: [run.id, run.dueAt, read.dataSourceIds, read.versionId],
  });
}

/** Fields of an ended run that its consequences depend on. */
export type EndedRun = {
  subscriptionId: number | null;
  contractId: number | null;
  ownerUserId: number | null;
  startedByUserId: number | null;
  /** Row count of its query; null without a result. */
  resultCount: number | null;
  /** Change of the alert in its message; null: none. */
  alertNews: AlertNews | null;
  /** True when it has staged rows, which its subscription may store. */
  hasStagedRows: boolean;
  /** Number of rows without a recipient. Null when every recipient gets all rows, or when no message was due. */
  unroutedCount: number | null;
};

/**
 * Ends a run and counts it in a separate row, which a job adds to the daily counts. Runs therefore do not wait for a
 * shared counter. Returns undefined when the run has ended already; it does not change then.
 */
export async function finishRun(
  executor: Executor,
  run: RunKey,
  status: Exclude<RunStatus, 'Created'>,
  reason: RunReason | null,
): Promise<EndedRun | undefined> {
  const { reason: reasonCode, ...facts } = reason ?? { reason: null };
  const { rows } = await executor.query<EndedRun>({
    name: 'runs-finish',
    text: `with ended as (
        update svc.runs r set status = $3, reason = $4, reason_detail = $5, finished_at = now()
        where r.id = $1 and r.due_at = $2 and r.status = 'Created'
        returning r.*),
      counted as (
        insert into svc.run_counts_open (day, subscription_id, contract_id, query_id, project_id, data_source_ids, status, is_anomaly, ended_at)
        select (due_at at time zone 'UTC')::date, subscription_id, contract_id, query_id, project_id,
          data_source_ids, status, anomaly_direction is not null, finished_at from ended)
      select e.subscription_id as "subscriptionId", e.contract_id as "contractId", s.owner_user_id as "ownerUserId",
        e.started_by_user_id as "startedByUserId", e.result_count as "resultCount", e.alert_news as "alertNews",
        exists (select from svc.row_memory_staged m where m.subscription_id = e.subscription_id and m.run_id = e.id)
          as "hasStagedRows",
        case when e.message_sealed is not null or $4 = 'NothingRouted' then e.unrouted_count end as "unroutedCount"
      from ended e left join svc.subscriptions s on s.id = e.subscription_id`,
    values: [run.id, run.dueAt, status, reasonCode, reasonCode === null ? null : JSON.stringify(facts)],
  });
  return rows[0];
}

/** Locks and returns the other runs of a subscription with a held message. */
export async function heldRuns(executor: Executor, subscriptionId: number, butId: number): Promise<RunKey[]> {
  const { rows } = await executor.query<RunKey>({
    name: 'runs-held',
    text: `select id, due_at as "dueAt" from svc.runs
      where subscription_id = $1 and held_until is not null and status = 'Created' and id <> $2 for update`,
    values: [subscriptionId, butId],
  });
  return rows;
}

/** Returns runs whose job is over without having ended them, at most 1000. */
export async function abandonedRuns(executor: Executor, olderThanSeconds: number): Promise<RunKey[]> {
  const { rows } = await executor.query<{ id: number; dueAt: Date }>(
    `select r.id, r.due_at as "dueAt" from svc.runs r
     where r.status = 'Created' and (r.held_until is null or r.held_until < now() - $1 * interval '1 second')
       and r.created_time < now() - $1 * interval '1 second'
       and not exists (select from svc_jobs.job j where j.id = r.job_id and j.state not in ('Completed', 'Failed', 'Cancelled'))
     limit 1000`,
    [olderThanSeconds],
  );
  return rows;
}
