import type { Executor } from '../../client/executor.ts';
import { hintPayload, sendHint } from '../hints.ts';
import { channelLiteral, type Sql } from '../statement.ts';

/** Result of a cancellation: a waiting job ended, the end of a running job was requested, or nothing changed. */
export type CancelOutcome = 'Cancelled' | 'Requested' | 'AlreadyEnded' | 'NotFound';

/**
 * Cancels jobs and the members of their batches or messages. Waiting jobs end immediately. For running jobs the request
 * is stored and their worker is notified. Passes after the hint settle batches, messages and continuations.
 */
export async function cancelJobs(
  sql: Sql,
  executor: Executor,
  ids: readonly string[],
  cancelledRetentionMs: number | null,
): Promise<Map<string, CancelOutcome>> {
  const { rows } = await executor.query(cancelText(sql), [
    ids,
    cancelledRetentionMs,
    sql.now()?.toISOString() ?? null,
  ]);
  return new Map((rows as { id: string; outcome: CancelOutcome }[]).map((row) => [row.id, row.outcome]));
}

// Members are cancelled with their batch. The batch itself ends after its last member.
const cancelText = (sql: Sql) => `
with recursive wanted as (
  select id from unnest($1::uuid[]) as w (id)
  union
  select j.id from ${sql.schema}.job j join wanted w on j.batch_id = w.id
),
locked as (
  select j.id, j.state, j.kind from ${sql.schema}.job j where j.id in (select id from wanted)
  order by j.id for update
),
changed as (
  update ${sql.schema}.job j set
    state = case when j.state = 'Processing' then j.state else 'Cancelled' end,
    cancel_requested_at = coalesce(j.cancel_requested_at, m.t),
    finished_at = case when j.state = 'Processing' then j.finished_at else m.t end,
    dedupe_key = case when j.state = 'Processing' then j.dedupe_key end,
    expire_at = case when j.state = 'Processing' then null else m.t + $2::float8 * interval '1 millisecond' end
  from locked l, (select coalesce($3::timestamptz, now()) as t) m
  where j.id = l.id and l.state not in ('Completed', 'Failed', 'Cancelled')
  returning j.id, j.state, j.kind, j.name, m.t
),
logged as (
  insert into ${sql.schema}.job_log (job_id, at, event)
  select id, t, case state when 'Processing' then 'CancelRequested' else state::text end from changed
),
counted as (
  insert into ${sql.schema}.job_counter (at, name, cancelled)
  select max(t), name, count(*) from changed where state = 'Cancelled' group by name
),
hinted as (
  select ${sendHint(channelLiteral(sql), hintPayload.cancelRequested('id'))} from changed where state = 'Processing' and kind = 'Job'
  union all
  select ${sendHint(channelLiteral(sql), hintPayload.groupsChanged)} from (select from changed where state = 'Cancelled' limit 1) c
)
select w.id::text as id, (select count(*)::int from hinted) as hints,
  case when l.id is null then 'NotFound' when c.id is null then 'AlreadyEnded'
    when c.state = 'Processing' then 'Requested' else 'Cancelled' end as outcome
from unnest($1::uuid[]) as w (id) left join locked l on l.id = w.id left join changed c on c.id = w.id`;

/** Result of a requeue. */
export type RequeueOutcome = 'Enqueued' | 'NotPossible' | 'NotFound';

/**
 * Makes jobs ready immediately, with all their attempts. Does not change running or ready jobs, nor batches and
 * messages: the caller requeues their members. The ended batch of a member runs again.
 */
export async function requeueJobs(
  sql: Sql,
  executor: Executor,
  ids: readonly string[],
): Promise<Map<string, RequeueOutcome>> {
  const { rows } = await executor.query(requeueText(sql), [ids, sql.now()?.toISOString() ?? null]);
  return new Map((rows as { id: string; outcome: RequeueOutcome }[]).map((row) => [row.id, row.outcome]));
}

const requeueText = (sql: Sql) => `
with locked as (
  select j.id, j.state, j.kind, j.batch_id, j.worker_id, j.attempt, j.started_at, j.finished_at
  from ${sql.schema}.job j where j.id = any($1::uuid[]) order by j.id for update
),
changed as (
  update ${sql.schema}.job j set state = 'Enqueued', due_at = m.t, attempt = 0, recoveries = 0, finished_at = null,
    started_at = null, expire_at = null, cancel_requested_at = null, error = null, progress = null,
    progress_text = null
  from locked l, (select coalesce($2::timestamptz, now()) as t) m
  where j.id = l.id and l.kind = 'Job' and l.state not in ('Processing', 'Enqueued')
  returning j.id, j.queue, j.batch_id, l.state as was, l.worker_id as was_run_by, l.attempt as was_attempt,
    l.started_at as was_started_at, l.finished_at as was_finished_at, m.t
),
reopened as (
  update ${sql.schema}.job b set state = 'Processing', finished_at = null, expire_at = null, cancel_requested_at = null
  where b.id in (select batch_id from changed) and b.state in ('Completed', 'Failed', 'Cancelled')
  returning b.id
),
logged as (
  insert into ${sql.schema}.job_log (job_id, at, event, message, worker_id, attempt, duration_ms)
  select id, t, 'Enqueued', 'Requeued from ' || was || '.', null, null, null from changed
  union all
  -- The completion was told by the row alone until now.
  select id, was_finished_at, 'Completed', null, was_run_by, was_attempt,
    (extract(epoch from was_finished_at - was_started_at) * 1000)::integer
  from changed where was = 'Completed'
),
hinted as (
  select ${sendHint(channelLiteral(sql), hintPayload.jobsReady('queue'))} from (select distinct queue from changed) c
)
select w.id::text as id, (select count(*)::int from hinted) as hints,
  case when l.id is null then 'NotFound' when c.id is null then 'NotPossible' else 'Enqueued' end as outcome
from unnest($1::uuid[]) as w (id) left join locked l on l.id = w.id left join changed c on c.id = w.id`;
