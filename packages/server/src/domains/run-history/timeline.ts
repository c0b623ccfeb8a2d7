import type { RunTimeline, TaskEventKind } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import type { RunView } from './present.ts';
import type { DeliveryRow } from './store.ts';
import type { RunTimings } from './timings.ts';

export type TimelineRow = {
  readonly id: number;
  readonly dueAt: Date;
  readonly projectId: number;
  readonly createdTime: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly traceId: string | null;
  readonly jobId: string | null;
  readonly executionTimeMs: number | null;
  readonly request: { readonly method: string; readonly route: string } | null;
  readonly userName: string | null;
  readonly execution: RunTimings | null;
};
export type RunTaskRow = {
  readonly taskId: number;
  readonly kind: TaskEventKind;
  readonly at: Date;
  readonly rowCount: number | null;
};

/** Finds the times of a run; undefined when it is missing or hidden from the caller. */
export async function findTimeline(
  executor: Executor,
  visible: RawBuilder<boolean>,
  id: number,
): Promise<TimelineRow | undefined> {
  const { rows } = await sql<TimelineRow>`
    select r.id, r.due_at as "dueAt", r.project_id as "projectId", r.created_time as "createdTime",
      r.started_at as "startedAt", r.finished_at as "finishedAt", r.trace_id as "traceId", r.job_id as "jobId",
      r.execution_time_ms as "executionTimeMs", r.request, coalesce(u.display_name, u.user_name) as "userName", r.execution
    from svc.runs r left join svc.users u on u.id = r.started_by_user_id
    where r.id = ${id} and ${visible}`.execute(executor.kysely);
  return rows[0];
}

/** Returns the changes of tasks by a run, oldest first, at most 100. */
export async function listTasksOfRun(executor: Executor, runId: number): Promise<RunTaskRow[]> {
  const { rows } = await executor.query<RunTaskRow>(
    `select e.task_id as "taskId", e.kind, e.created_time as at, (e.detail->>'count')::int8 as "rowCount"
     from svc.task_events e where e.run_id = $1 order by e.id limit 100`,
    [runId],
  );
  return rows;
}

/** Returns the names of live data sources by id. */
export async function sourceNames(
  executor: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await executor.query<{ id: number; name: string }>(
    'select id, name from svc.data_sources where id = any($1) and archived_at is null',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;
const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/** Presents a run from the request that started it to the tasks that it changed. */
export function presentTimeline(
  run: TimelineRow,
  related: {
    readonly deliveries: readonly DeliveryRow[];
    readonly tasks: readonly RunTaskRow[];
    readonly names: ReadonlyMap<number, string>;
  },
  view: Pick<RunView, 'showsTechnical' | 'textOfReason'>,
): RunTimeline {
  const { execution } = run;
  return {
    request: run.request && { ...run.request, userName: run.userName, at: run.createdTime.toISOString() },
    traceId: run.traceId,
    jobId: run.jobId,
    dueAt: run.dueAt.toISOString(),
    startedAt: timeOf(run.startedAt),
    finishedAt: timeOf(run.finishedAt),
    waitedMs: run.startedAt && Math.max(0, run.startedAt.getTime() - run.dueAt.getTime()),
    statements: (execution?.statements ?? []).map(
      ({ name, dataSourceId, outcome, rowCount, startedMs, tookMs, ...usage }) => ({
        name,
        dataSourceId,
        outcome,
        rowCount,
        ...usage,
        dataSourceName: related.names.get(dataSourceId) ?? null,
        from: after(execution?.askedAt ?? run.dueAt.toISOString(), startedMs),
        durationMs: tookMs,
      }),
    ),
    queryMs: run.executionTimeMs,
    maskingMs: execution?.maskingMs ?? null,
    attempts: related.deliveries.map((delivery) => presentAttempt(delivery, view)),
    tasks: related.tasks.map(({ at, ...task }) => ({ ...task, at: at.toISOString() })),
  };
}

const presentAttempt = (
  row: DeliveryRow,
  view: Pick<RunView, 'showsTechnical' | 'textOfReason'>,
): RunTimeline['attempts'][number] => ({
  deliveryId: row.id,
  recipientId: row.recipientId,
  recipientName: row.recipientName,
  attempt: row.attempt,
  origin: row.origin,
  orderedBy: row.orderedBy,
  state: row.state,
  from: row.startedAt.toISOString(),
  to: timeOf(row.finishedAt),
  request: {
    notificationType: row.notificationType,
    messageId: row.messageId,
    bytesSent: row.bytesSent,
  },
  response: {
    ...(view.showsTechnical && { httpClass: row.httpClass }),
    reason: row.reason === null ? null : view.textOfReason(row.reason, view),
    remoteId: row.remoteId,
    retryAfterSeconds: row.retryAfterSeconds,
  },
});
