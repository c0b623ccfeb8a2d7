import { hintPayload, sendHint } from '../hints.ts';
import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';

/** What a look at the tables found. */
export type Pulse = {
  /** Queues of those asked for in which jobs wait that have no concurrency key. */
  readonly ready: string[];
  /** Queues of those asked for in which jobs wait that have one. */
  readonly ready_in_turn: string[];
  /** Limits of whole queues by the queue's name. */
  readonly queue_limits: Readonly<Record<string, number>>;
  /** Queues that are paused. */
  readonly paused: string[];
  /** Jobs made ready; when it is `activatedMax`, more may be due. */
  readonly activated: number;
  /** Time until the next scheduled or retried job comes due; null without any. */
  readonly next_job_ms: number | null;
  /** Time until the next tick of a recurring schedule, 0 or less when it is due; null without any. */
  readonly next_tick_ms: number | null;
  /** Time until the first interval ends whose rate limit is used up; null without any. */
  readonly next_rate_ms: number | null;
};

/** Jobs made ready by one pulse at most, so that the statement stays short. */
export const activatedMax = 1_000;

const pulse = statement(
  'pulse',
  (schema, channel) => `
with moment as (select coalesce($2::timestamptz, now()) as t),
due as (
  select j.id from ${schema}.job j
  where j.state in ('Scheduled', 'AwaitingRetry') and j.due_at <= coalesce($2::timestamptz, now())
  order by j.due_at limit ${activatedMax} for update skip locked
),
activated as (
  update ${schema}.job j set state = 'Enqueued' from due where j.id = due.id
  returning j.queue, j.concurrency_key is not null as is_limited
),
hinted as (
  select ${sendHint(channel, hintPayload.jobsReady('a.queue'))}
  from (select distinct queue from activated where queue <> all($1::text[])) a
)
select
  array(
    select q.name from unnest($1::text[]) as q (name)
    where exists (
      select from ${schema}.job j where j.queue = q.name and j.state = 'Enqueued' and j.concurrency_key is null
    )
    union select a.queue from activated a where a.queue = any($1::text[])
  ) as ready,
  array(
    select q.name from unnest($1::text[]) as q (name)
    where exists (
      select from ${schema}.job j where j.queue = q.name and j.state = 'Enqueued' and j.concurrency_key is not null
    )
    union select a.queue from activated a where a.is_limited and a.queue = any($1::text[])
  ) as ready_in_turn,
  (
    select coalesce(jsonb_object_agg(substr(l.key, 7), l.max_running), '{}')
    from ${schema}.concurrency_limit l where l.key like 'queue:%'
  ) as queue_limits,
  array(select p.name from ${schema}.queue p where p.paused_at is not null) as paused,
  (select count(*)::int from activated) as activated,
  (select count(*)::int from hinted) as hinted,
  (extract(epoch from (
    select min(j.due_at) from ${schema}.job j
    where j.state in ('Scheduled', 'AwaitingRetry') and j.due_at > m.t
  ) - m.t) * 1000)::float8 as next_job_ms,
  (extract(epoch from (select min(s.next_due_at) from ${schema}.schedule s where s.next_due_at is not null) - m.t) * 1000
  )::float8 as next_tick_ms,
  (extract(epoch from (select min(w.ends_at) from ${schema}.rate_window w where w.is_full and w.ends_at > m.t) - m.t)
    * 1000)::float8 as next_rate_ms
from moment m`,
  { answerTimeoutMs: urgentTimeoutMs },
);

/**
 * The one statement of an idle process: makes due jobs ready (at most `activatedMax` each time), and tells which queues have
 * work and when to look again. It is what is relied on; notifications only make it happen sooner.
 */
export async function takePulse(sql: Sql, queues: readonly string[]): Promise<Pulse> {
  const [row] = await sql.db.run<Pulse>(pulse(sql), [queues, sql.now()]);
  if (!row) throw new Error('The pulse statement gave no row.');
  return row;
}
