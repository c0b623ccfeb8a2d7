import type { ActivityKind } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

/** What a caller sees: a condition on `svc.runs` as `r` with its query as `q`, and projects (null: all). */
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
export type ActivityRow = {
  readonly kind: ActivityKind;
  readonly time: Date;
  readonly queryName: string;
  readonly projectId: number;
  readonly subscriptionId: number;
  readonly runId: number | null;
  readonly reason: string | null;
  readonly reasonDetail: unknown;
  readonly count: number | null;
};
export type HourRow = {
  readonly from: Date;
  readonly runs: number;
  readonly failed: number;
  readonly isMissed: boolean;
};

const figures = sql`count(r.id) as runs, count(r.id) filter (where r.status = 'Sent') as sent,
  count(r.id) filter (where r.status in ('Failed', 'Timeout')) as failed, avg(r.execution_time_ms) as "averageMs",
  percentile_cont(0.95) within group (order by r.execution_time_ms) as "p95Ms"`;
const seenRuns = (visible: RawBuilder<boolean>) => sql`(select r.* from svc.runs r
  join svc.queries q on q.id = r.query_id where ${visible})`;
const today = sql`date_trunc('day', now() at time zone 'UTC')`;

/** Figures of each of the last days in UTC, oldest first; days without a run included. */
export async function readDays(
  executor: Executor,
  visible: RawBuilder<boolean>,
  days: number,
): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    with day as (select generate_series(${today} - (${days}::int - 1) * interval '1 day', ${today}, interval '1 day') as starts)
    select to_char(day.starts, 'YYYY-MM-DD') as date, ${figures}
    from day left join ${seenRuns(visible)} r
      on r.created_time >= day.starts at time zone 'UTC'
      and r.created_time < (day.starts + interval '1 day') at time zone 'UTC'
    group by day.starts order by day.starts`.execute(executor.kysely);
  return rows;
}

/** Sums of the last days, and of a span of the same length that ended that many days earlier. */
export async function readSpans(
  executor: Executor,
  visible: RawBuilder<boolean>,
  days: number,
): Promise<SpanRows> {
  const { rows } = await sql<FiguresRow & { from: Date; to: Date }>`
    with span as (
      select shift, (${today} - (${days}::int * (shift + 1) - 1) * interval '1 day') at time zone 'UTC' as starts,
        now() - ${days}::int * shift * interval '1 day' as ends
      from generate_series(0, 1) as shift)
    select span.starts as from, span.ends as to, ${figures}
    from span left join ${seenRuns(visible)} r on r.created_time >= span.starts and r.created_time <= span.ends
    group by span.shift, span.starts, span.ends order by span.shift`.execute(executor.kysely);
  const [total, before] = rows;
  if (!total || !before) throw new Error('Two spans of time were asked for.');
  return { from: total.from, to: total.to, total, before };
}

const inProjects = ({ projectIds }: Seen) =>
  sql`(${projectIds}::int[] is null or q.project_id = any(${projectIds}::int[])) and p.archived_at is null`;
const ofSubscription = sql`join svc.queries q on q.id = s.query_id join svc.projects p on p.id = q.project_id`;

/** Sort names of the activity. */
export const activitySortable: Sortable = { time: 'time' };

/** One page of what happened in the last 30 days, and how much that was. */
export async function readActivity(
  executor: Executor,
  seen: Seen,
  page: PageRequest,
): Promise<{ rows: ActivityRow[]; total: number }> {
  const since = sql`now() - interval '30 days'`;
  const none = sql`null::bigint as "runId", null::text as reason, null::jsonb as "reasonDetail"`;
  const entries = sql`
    select case r.status when 'Sent' then 'RunSent' else 'RunFailed' end as kind, r.created_time as time,
      q.name as "queryName", q.project_id as "projectId", r.subscription_id as "subscriptionId", r.id as "runId",
      r.reason, r.reason_detail as "reasonDetail", case r.status when 'Sent' then r.result_count end as count
    from svc.runs r join svc.queries q on q.id = r.query_id
    where r.status in ('Sent', 'Failed', 'Timeout') and r.created_time > ${since} and ${seen.runs}
    union all
    select 'RunMissed', m.noticed_at, q.name, q.project_id, s.id, ${none}, m.missed_count
    from svc.missed_runs m join svc.subscriptions s on s.id = m.subscription_id ${ofSubscription}
    where m.noticed_at > ${since} and ${inProjects(seen)}
    union all
    select 'SubscriptionCreated', s.created_time, q.name, q.project_id, s.id, ${none}, null
    from svc.subscriptions s ${ofSubscription}
    where s.created_time > ${since} and ${inProjects(seen)}`;
  const { rows } = await sql<ActivityRow & { total: number }>`
    with entry as materialized (${entries})
    select page.*, (select count(*) from entry) as total
    from (select * from entry order by ${sql.raw(orderBy(page))}, "subscriptionId", "runId"
      limit ${page.limit}::int offset ${page.offset}::bigint) page
    order by ${sql.raw(orderBy(page))}, "subscriptionId", "runId"`.execute(executor.kysely);
  const [first] = rows;
  if (first || page.offset === 0) return { rows, total: first?.total ?? 0 };
  // Beyond the last page no row carries the count.
  const ahead = await readActivity(executor, seen, { ...page, limit: 1, offset: 0 });
  return { rows, total: ahead.total };
}

/**
 * Scheduled runs of each of the last hours, oldest first. Of an outage only its first and last due time and its count
 * are kept: the missed runs between them are taken to be evenly spaced, so that the hour of each is known.
 */
export async function readHours(executor: Executor, seen: Seen, hours: number): Promise<HourRow[]> {
  const { rows } = await sql<HourRow>`
    with hour as (
      select generate_series(date_trunc('hour', now()) - (${hours}::int - 1) * interval '1 hour',
        date_trunc('hour', now()), interval '1 hour') as starts),
    missed as (
      select m.first_due_at as first, m.last_due_at as last,
        greatest(extract(epoch from m.last_due_at - m.first_due_at) / greatest(m.missed_count - 1, 1), 1) as step
      from svc.missed_runs m join svc.subscriptions s on s.id = m.subscription_id ${ofSubscription}
      where m.last_due_at >= (select min(starts) from hour) and ${inProjects(seen)})
    select hour.starts as from, count(r.id) as runs,
      count(r.id) filter (where r.status in ('Failed', 'Timeout')) as failed,
      exists (
        select from missed m where m.first < hour.starts + interval '1 hour' and m.last >= hour.starts
          and (m.first >= hour.starts or m.last < hour.starts + interval '1 hour'
            or m.first + ceil(extract(epoch from hour.starts - m.first) / m.step) * m.step * interval '1 second'
              < hour.starts + interval '1 hour')) as "isMissed"
    from hour left join ${seenRuns(seen.runs)} r
      on r.origin = 'Schedule' and r.status not in ('Created', 'Skipped')
      and r.created_time >= hour.starts and r.created_time < hour.starts + interval '1 hour'
    group by hour.starts order by hour.starts`.execute(executor.kysely);
  return rows;
}
