import { hintPayload, sendHint } from '../hints.ts';
import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';

/** Result of a poll of the tables. */
export type Pulse = {
  /** Requested queues with ready jobs without a concurrency key. */
  readonly ready: string[];
  /** Requested queues with ready jobs with a concurrency key. */
  readonly ready_in_turn: string[];
  /** Limits of whole queues, by queue name. */
  readonly queue_limits: Readonly<Record<string, number>>;
  /** Names of paused queues. */
  readonly paused: string[];
  /** Number of jobs made ready. When it is `activatedMax`, more jobs may be due. */
  readonly activated: number;
  /** Time until the next scheduled or retried job is due; null without any. */
  readonly next_job_ms: number | null;
  /** Time until the next tick of a recurring schedule, 0 or less when it is due; null without any. */
  readonly next_tick_ms: number | null;
  /** Time until the first interval of an exhausted rate limit ends; null without any. */
  readonly next_rate_ms: number | null;
};

/** Maximum number of jobs that one pulse makes ready, so that the statement remains short. */
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
 * Polls the tables; the only statement of an idle process. Makes due jobs ready (at most `activatedMax` each time) and
 * returns the queues with jobs and the time of the next poll. Correctness depends on this poll; notifications only make
 * it earlier.
 */
export async function takePulse(sql: Sql, queues: readonly string[]): Promise<Pulse> {
  const [row] = await sql.db.run<Pulse>(pulse(sql), [queues, sql.now()]);
  if (!row) throw new Error('The pulse statement gave no row.');
  return row;
}
