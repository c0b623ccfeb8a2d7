import type { MigrationSummary } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';

/** Scope of a caller: a condition on `svc.runs` as `r`, and projects (null means all). */
export type Seen = { readonly runs: RawBuilder<boolean>; readonly projectIds: readonly number[] | null };

export type FiguresRow = {
  readonly runs: number;
  readonly sent: number;
  readonly failed: number;
  readonly averageMs: number | null;
  readonly p95Ms: number | null;
};
export type DayRow = FiguresRow & { readonly date: string };
export type SpanRows = {
  readonly from: Date;
  readonly to: Date;
  readonly total: FiguresRow;
  readonly before: FiguresRow;
};
export type HourRow = {
  readonly from: Date;
  readonly runs: number;
  readonly failed: number;
  readonly missed: number;
};

const figures = sql`count(r.id) as runs, count(r.id) filter (where r.status = 'Sent') as sent,
  count(r.id) filter (where r.status in ('Failed', 'Timeout')) as failed, avg(r.execution_time_ms) as "averageMs",
  percentile_cont(0.95) within group (order by r.execution_time_ms) as "p95Ms"`;
/**
 * Selects visible runs since a time, each with its period. The time condition and the visibility check run once,
 * regardless of the number of periods.
 */
const seenRuns = (seen: {
  visible: RawBuilder<boolean>;
  from: RawBuilder<unknown>;
  part: RawBuilder<unknown>;
}) =>
  sql`(select ${seen.part} as part, r.id, r.status, r.execution_time_ms
  from svc.runs r
  where r.created_time >= ${seen.from} and ${seen.visible})`;
const today = sql`date_trunc('day', now() at time zone 'UTC')`;

/** Returns figures for each of the last days in UTC, oldest first, including days without a run. */
export async function readDays(
  executor: Executor,
  visible: RawBuilder<boolean>,
  days: number,
): Promise<DayRow[]> {
  const first = sql`(${today} - (${days}::int - 1) * interval '1 day')`;
  const part = sql`date_trunc('day', r.created_time at time zone 'UTC')`;
  const { rows } = await sql<DayRow>`
    select to_char(day.starts, 'YYYY-MM-DD') as date, ${figures}
    from generate_series(${first}, ${today}, interval '1 day') as day (starts)
    left join ${seenRuns({ visible, from: sql`${first} at time zone 'UTC'`, part })} r on r.part = day.starts
    group by day.starts order by day.starts`.execute(executor.kysely);
  return rows;
}

/** Returns the totals of the last days, and of the span of the same length before. */
export async function readSpans(
  executor: Executor,
  visible: RawBuilder<boolean>,
  days: number,
): Promise<SpanRows> {
  const starts = (shift: RawBuilder<unknown>) =>
    sql`((${today} - (${days}::int * (${shift} + 1) - 1) * interval '1 day') at time zone 'UTC')`;
  const ends = (shift: RawBuilder<unknown>) => sql`(now() - ${days}::int * ${shift} * interval '1 day')`;
  const part = sql`case when r.created_time >= ${starts(sql`0`)} and r.created_time <= ${ends(sql`0`)} then 0
    when r.created_time <= ${ends(sql`1`)} then 1 end`;
  const { rows } = await sql<FiguresRow & { from: Date; to: Date }>`
    select ${starts(sql`span.shift`)} as from, ${ends(sql`span.shift`)} as to, ${figures}
    from generate_series(0, 1) as span (shift)
    left join ${seenRuns({ visible, from: starts(sql`1`), part })} r on r.part = span.shift
    group by span.shift order by span.shift`.execute(executor.kysely);
  const [total, before] = rows;
  if (!total || !before) throw new Error('Two spans of time were asked for.');
  return { from: total.from, to: total.to, total, before };
}

/** Returns the condition that a row of `of` is in a readable, live project `p`. */
export const inProjectsOf = (of: 'q' | 't' | 'c', { projectIds }: Seen) =>
  sql`(${projectIds}::int[] is null or ${sql.raw(of)}.project_id = any(${projectIds}::int[])) and p.archived_at is null`;
export const ofSubscription = sql`join svc.queries q on q.id = s.query_id join svc.projects p on p.id = q.project_id`;

/**
 * Returns scheduled runs for each of the last hours, oldest first. An outage stores only its first and last due time
 * and its count. Missed runs between them are assumed to be evenly spaced.
 */
export async function readHours(executor: Executor, seen: Seen, hours: number): Promise<HourRow[]> {
  const first = sql`(date_trunc('hour', now()) - (${hours}::int - 1) * interval '1 hour')`;
  const visible = sql<boolean>`r.origin = 'Schedule' and r.status not in ('Created', 'Skipped') and ${seen.runs}`;
  const part = sql`date_trunc('hour', r.created_time)`;
  const { rows } = await sql<HourRow>`
    with hour as (select generate_series(${first}, date_trunc('hour', now()), interval '1 hour') as starts),
    missed as (
      select m.first_due_at as first, m.last_due_at as last,
        m.missed_count as number,
        greatest(extract(epoch from m.last_due_at - m.first_due_at) / greatest(m.missed_count - 1, 1), 1) as step
      from svc.missed_runs m join svc.subscriptions s on s.id = m.subscription_id ${ofSubscription}
      where m.missed_count > 0 and m.last_due_at >= (select min(starts) from hour) and ${inProjectsOf('q', seen)})
    select hour.starts as from, count(r.id) as runs,
      count(r.id) filter (where r.status in ('Failed', 'Timeout')) as failed,
      (select coalesce(sum(greatest(0, least(m.number,
           ceil(round(extract(epoch from hour.starts + interval '1 hour' - m.first) / m.step, 6)))
           - greatest(0, ceil(round(extract(epoch from hour.starts - m.first) / m.step, 6))))), 0)::int
         from missed m where m.first < hour.starts + interval '1 hour' and m.last >= hour.starts) as missed
    from hour left join ${seenRuns({ visible, from: first, part })} r on r.part = hour.starts
    group by hour.starts order by hour.starts`.execute(executor.kysely);
  return rows;
}

/**
 * Returns the number of live migration jobs, of open copies and of copies that ended in the last 24 hours, without
 * trials.
 */
export async function readMigrations(executor: Executor): Promise<MigrationSummary> {
  const lately = sql`not e.is_trial and e.finished_at > now() - interval '24 hours'
    and e.created_time > now() - interval '3 days'`;
  const { rows } = await sql<MigrationSummary>`
    select (select count(*)::int from svc.migration_jobs where archived_at is null) as jobs,
      (select count(*)::int from svc.migration_executions where status in ('Queued', 'Running')) as running,
      count(*) filter (where e.status in ('Completed', 'PartialSuccess'))::int as "completed24h",
      count(*) filter (where e.status = 'Failed')::int as "failed24h"
    from svc.migration_executions e where ${lately}`.execute(executor.kysely);
  const [row] = rows;
  if (!row) throw new Error('One row of figures was asked for.');
  return row;
}

export type TaskCountsRow = {
  readonly open: number;
  readonly mine: number;
  readonly overdue: number;
  readonly snoozed: number;
};

/** Returns the number of open tasks in readable projects, by state. */
export async function readTaskCounts(
  executor: Executor,
  projectIds: readonly number[] | null,
  userId: number | null,
): Promise<TaskCountsRow> {
  const { rows } = await executor.query<TaskCountsRow>(
    `select count(*) filter (where not t.is_snoozed) as open,
       count(*) filter (where not t.is_snoozed and t.assignee_user_id = $2) as mine,
       count(*) filter (where not t.is_snoozed and t.due_at <= now()) as overdue,
       count(*) filter (where t.is_snoozed) as snoozed
     from (select due_at, assignee_user_id, coalesce(snoozed_until > now(), false) as is_snoozed from svc.tasks
       where state = 'Open' and ($1::int[] is null or project_id = any($1))) t`,
    [projectIds, userId],
  );
  return rows[0] ?? { open: 0, mine: 0, overdue: 0, snoozed: 0 };
}
