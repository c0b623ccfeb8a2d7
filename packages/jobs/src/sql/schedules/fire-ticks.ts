import { hintPayload, sendHint } from '../hints.ts';
import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';

/** Due schedule. */
export type DueSchedule = {
  readonly key: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly dueAt: Date;
  /** Time of PostgreSQL's clock. */
  readonly now: Date;
};

const due = statement(
  'due_schedules',
  (schema) => `
select s.key, s.cron, s.time_zone as "timeZone", s.next_due_at as "dueAt", coalesce($1::timestamptz, now()) as now
from ${schema}.schedule s where s.next_due_at <= coalesce($1::timestamptz, now()) order by s.next_due_at limit $2`,
  { answerTimeoutMs: urgentTimeoutMs },
);

/** Returns due schedules, the most overdue first. */
export const readDueSchedules = (sql: Sql, limit: number): Promise<DueSchedule[]> =>
  sql.db.run<DueSchedule>(due(sql), [sql.now(), limit]);

/** Tick to fire: the schedule's stored due time, the due time to fire, and the next due time. */
export type Tick = {
  readonly key: string;
  readonly stoodAt: Date;
  readonly dueAt: Date;
  readonly followingAt: Date | null;
  readonly missedCount: number;
  readonly jobId: string;
};

// A schedule advances only from the due time that this process read, so only one of several processes fires a tick. The
// unique tick row also protects against a schedule reset to an earlier time: a due time never fires twice.
const fire = statement(
  'fire_ticks',
  (schema, channel) => `
with wanted as (
  select w.key, w.stood_at, w.following_at, w.missed_count, w.job_id, coalesce(
    -- It fired while the clock was ahead of its time, and comes due once more: a slot of its own.
    (select max(t.due_at) + interval '1 millisecond' from ${schema}.schedule_tick t where t.schedule_key = w.key
      and w.due_at <= s.refired_until and t.due_at >= w.due_at and t.due_at < w.due_at + interval '1 second'),
    w.due_at) as due_at,
  s.skips_overlap and exists (
    select from ${schema}.job j where j.id = s.last_job_id and j.state not in ('Completed', 'Failed', 'Cancelled')
  ) as is_overlapping
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::integer[], $6::uuid[])
    as w (key, stood_at, due_at, following_at, missed_count, job_id)
  join ${schema}.schedule s on s.key = w.key
),
moved as (
  update ${schema}.schedule s set next_due_at = w.following_at, last_due_at = w.due_at,
    last_job_id = case when w.is_overlapping then s.last_job_id else w.job_id end
  from wanted w where s.key = w.key and s.next_due_at = w.stood_at
  returning s.*, w.due_at, w.missed_count, w.job_id, w.is_overlapping
),
ticked as (
  insert into ${schema}.schedule_tick (schedule_key, due_at, fired_at, job_id, missed_count)
  select key, due_at, coalesce($7::timestamptz, now()), case when is_overlapping then null else job_id end, missed_count
  from moved
  on conflict (schedule_key, due_at) do nothing
  returning schedule_key, job_id
),
fired as (
  insert into ${schema}.job (id, trace_id, created_at, due_at, state, concurrency_limit, priority, attempts_max, name,
    queue, concurrency_key, schedule_key, slot_at, payload, metadata)
  select m.job_id, m.job_id, coalesce($7::timestamptz, now()), m.due_at, 'Enqueued', m.concurrency_limit, m.priority,
    m.attempts_max, m.job_name, m.queue, m.concurrency_key, m.key, m.due_at, m.payload, m.metadata
  from moved m join ticked t on t.schedule_key = m.key and t.job_id = m.job_id
  returning queue
),
queues as (select distinct queue from fired)
select queue, ${sendHint(channel, hintPayload.jobsReady('queue'))} from queues`,
  { isPrepared: false, answerTimeoutMs: urgentTimeoutMs },
);

/**
 * Fires ticks, at most one per schedule. Advances the schedule, stores the tick and enqueues its job, atomically, and
 * only where no other process fired it.
 *
 * @returns queues of the enqueued jobs.
 */
export async function fireTicks(sql: Sql, ticks: readonly Tick[]): Promise<string[]> {
  const rows = await sql.db.run<{ queue: string }>(fire(sql), [
    ticks.map((tick) => tick.key),
    ticks.map((tick) => tick.stoodAt),
    ticks.map((tick) => tick.dueAt),
    ticks.map((tick) => tick.followingAt),
    ticks.map((tick) => tick.missedCount),
    ticks.map((tick) => tick.jobId),
    sql.now(),
  ]);
  return rows.map((row) => row.queue);
}

const disable = statement(
  'disable_schedule',
  (schema) => `
update ${schema}.schedule set is_enabled = false, next_due_at = null, updated_at = now()
where key = $1 and next_due_at = $2`,
);

/** Disables a schedule whose expression this version cannot parse. */
export async function disableSchedule(sql: Sql, key: string, stoodAt: Date): Promise<void> {
  await sql.db.run(disable(sql), [key, stoodAt]);
}
