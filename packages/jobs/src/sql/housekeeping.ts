import { type Sql, statement } from './statement.ts';

/** Maximum number of rows that one statement removes or folds. */
export const housekeepingMax = 1_000;

const removeExpired = statement(
  'remove_expired',
  (schema) => `
with old as (
  select id from ${schema}.job where expire_at <= coalesce($1::timestamptz, now())
  order by expire_at limit ${housekeepingMax} for update skip locked
),
gone as (delete from ${schema}.job j using old where j.id = old.id returning j.id),
lines as (delete from ${schema}.job_log l using gone where l.job_id = gone.id)
select count(*)::int as gone from gone`,
);

/** Removes expired jobs with their history. Returns their number. */
export async function removeExpiredJobs(sql: Sql): Promise<number> {
  return (await sql.db.run<{ gone: number }>(removeExpired(sql), [sql.now()]))[0]?.gone ?? 0;
}

const removeSurplus = statement(
  'remove_surplus',
  (schema) => `
with old as (
  select id from ${schema}.job where expire_at is not null
  order by expire_at desc, id desc offset $1 limit ${housekeepingMax} for update skip locked
),
gone as (delete from ${schema}.job j using old where j.id = old.id returning j.id),
lines as (delete from ${schema}.job_log l using gone where l.job_id = gone.id)
select count(*)::int as gone from gone`,
);

/** Removes the oldest expirable jobs beyond `countMax`, with their history. Returns their number. */
export async function removeSurplusJobs(sql: Sql, countMax: number): Promise<number> {
  return (await sql.db.run<{ gone: number }>(removeSurplus(sql), [countMax]))[0]?.gone ?? 0;
}

// Sorted, so that processes which fold into the same rows lock them in the same order.
const fold = statement(
  'fold_counters',
  (schema) => `
with picked as (select id from ${schema}.job_counter order by id limit 5000 for update skip locked),
taken as (delete from ${schema}.job_counter c using picked where c.id = picked.id returning c.*),
folded as (
  insert into ${schema}.job_statistic as s (hour, name, completed, failed, cancelled, retried, duration_ms)
  select date_trunc('hour', at, 'UTC') as hour, name, sum(completed), sum(failed), sum(cancelled), sum(retried),
    sum(duration_ms)
  from taken group by 1, 2 order by 1, 2
  on conflict (hour, name) do update set completed = s.completed + excluded.completed,
    failed = s.failed + excluded.failed, cancelled = s.cancelled + excluded.cancelled,
    retried = s.retried + excluded.retried, duration_ms = s.duration_ms + excluded.duration_ms
),
by_minute as (
  insert into ${schema}.job_minute_statistic as s (minute, completed, failed, cancelled, retried, duration_ms)
  select date_trunc('minute', at, 'UTC') as minute, sum(completed), sum(failed), sum(cancelled), sum(retried),
    sum(duration_ms)
  from taken group by 1 order by 1
  on conflict (minute) do update set completed = s.completed + excluded.completed,
    failed = s.failed + excluded.failed, cancelled = s.cancelled + excluded.cancelled,
    retried = s.retried + excluded.retried, duration_ms = s.duration_ms + excluded.duration_ms
)
select count(*)::int as taken from taken`,
  { isPrepared: false },
);

const trimMinutes = statement(
  'trim_minutes',
  (schema) => `
delete from ${schema}.job_minute_statistic where minute < coalesce($1::timestamptz, now()) - interval '3 hours'`,
);

/** Removes minute sums older than three hours. The longest chart covers one hour. */
export async function trimMinuteStatistic(sql: Sql): Promise<void> {
  await sql.db.run(trimMinutes(sql), [sql.now()]);
}

/** Adds pending increments to the totals. Returns the number of increments. */
export async function foldCounters(sql: Sql): Promise<number> {
  return (await sql.db.run<{ taken: number }>(fold(sql), []))[0]?.taken ?? 0;
}

const trimTicks = statement(
  'trim_ticks',
  (schema) => `
delete from ${schema}.schedule_tick t using (
  select s.key, least(coalesce($1::timestamptz, now()) - interval '1 day', (
    select k.due_at from ${schema}.schedule_tick k where k.schedule_key = s.key
    order by k.due_at desc offset 99 limit 1
  )) as before
  from ${schema}.schedule s
) b
where t.schedule_key = b.key and t.due_at < b.before`,
  { isPrepared: false },
);

/** Removes ticks older than a day, except for the newest 100 of each schedule. */
export async function trimScheduleTicks(sql: Sql): Promise<void> {
  await sql.db.run(trimTicks(sql), [sql.now()]);
}

const removeWindows = statement(
  'remove_rate_windows',
  (schema) => `
delete from ${schema}.rate_window where ends_at < coalesce($1::timestamptz, now()) - interval '1 minute'`,
);

/** Removes rate-limit intervals that ended more than a minute ago. */
export async function removeOldRateWindows(sql: Sql): Promise<void> {
  await sql.db.run(removeWindows(sql), [sql.now()]);
}
