import { type RawBuilder, sql } from 'kysely';
import { failed, good } from '../run-history/index.ts';
import { watchedContracts } from './contracts.ts';
import { firstDay, type Judging, type Seen, startOf } from './span.ts';
import { isSubscriptionStalled, lastStartOfSubscription } from './stalled.ts';

/** Rows of counted days, and of runs that no job has added yet. Their union is always exact. */
const countedDays = (days: number, of: RawBuilder<unknown>) => sql`
  select subscription_id, day, project_id, data_source_ids, judged, good, failed, last_good_at, last_failed_at
  from svc.run_days where day >= ${firstDay(days)} and subscription_id is not null ${of}`;
const openDays = (days: number, of: RawBuilder<unknown>) => sql`
  select subscription_id, day, project_id, data_source_ids, (status <> 'Skipped')::int as judged,
    (${sql.raw(good)})::int as good, (${sql.raw(failed)})::int as failed,
    case when ${sql.raw(good)} then ended_at end as last_good_at,
    case when ${sql.raw(failed)} then ended_at end as last_failed_at
  from svc.run_counts_open where day >= ${firstDay(days)} and subscription_id is not null ${of}`;

/** Selects the days of the runs that the caller may see. */
export const seenDays = (seen: Seen, days: number, of: RawBuilder<unknown> = sql``) => sql`
  select r.subscription_id, r.day, r.judged, r.good, r.failed, r.last_good_at, r.last_failed_at
  from (${countedDays(days, of)} union all ${openDays(days, of)}) r
  where ${seen.runs}`;

const sums = sql`sum(judged)::int as judged, sum(good)::int as good, sum(failed)::int as failed,
  max(last_good_at) as last_good_at, max(last_failed_at) as last_failed_at`;

/** Columns that determine whether the caller may see a run. Empty if the caller may see every run. */
const seenBy = ({ isEveryRun }: Seen) => (isEveryRun ? sql`` : sql`, project_id, data_source_ids`);

/**
 * Sums the visible runs of each subscription. Days are first summed by the columns that determine visibility. The
 * condition is then evaluated once per sum: once per subscription whose query never moved, not once per day.
 */
const seenSums = (seen: Seen, days: number) => sql`
  select r.subscription_id, ${sums}
  from (
    select subscription_id${seenBy(seen)}, ${sums} from (${countedDays(days, sql``)}) c
    group by subscription_id${seenBy(seen)}
    union all
    select subscription_id${seenBy(seen)}, ${sums} from (${openDays(days, sql``)}) o
    group by subscription_id${seenBy(seen)}) r
  where ${seen.isEveryRun ? sql`true` : seen.runs} group by r.subscription_id`;

/**
 * Selects all watched subjects in the projects that the caller can read, one row each. A new kind is a further part of
 * this union, with the same columns.
 */
export const watchedSubjects = (seen: Seen, judging: Judging) => sql`
  ${watchedSubscriptions(seen, judging)} union all ${watchedContracts(seen, judging)}`;

const watchedSubscriptions = (seen: Seen, { days, slots, retainedDays }: Judging) => sql`
  select 'Subscription' as kind, s.id, q.id as query_id, null::int as data_source_id, q.name, q.project_id, p.name as project_name,
    case when s.paused_at is not null then null when ${isSubscriptionStalled(retainedDays.runs)} then slot.due_at
      else slot.next_due_at end as watch_due_at,
    ${isSubscriptionStalled(retainedDays.runs)} as is_stalled,
    exists (select from svc.missed_runs m where m.subscription_id = s.id
      and m.missed_count > 0 and m.last_due_at >= ${startOf(days)}) as has_missed,
    exists (select from svc.runs r where r.subscription_id = s.id and r.anomaly_direction is not null
      and r.anomaly_verdict is null and r.due_at >= ${startOf(days)} and ${seen.runs}) as has_open_anomaly,
    null::text as last_outcome,
    t.id as task_id, coalesce(t.due_at <= now(), false) as is_task_overdue,
    coalesce(f.judged, 0) as judged, coalesce(f.good, 0) as good, coalesce(f.failed, 0) as failed,
    f.last_good_at, f.last_failed_at
  from svc.subscriptions s
  join svc.queries q on q.id = s.query_id
  join svc.projects p on p.id = q.project_id and p.archived_at is null
  left join svc.tasks t on t.subscription_id = s.id and t.state = 'Open'
    and (t.snoozed_until is null or t.snoozed_until <= now())
  left join (${seenSums(seen, days)}) f on f.subscription_id = s.id
  ${lastStartOfSubscription(slots)}
  where s.archived_at is null and (${seen.projectIds}::int[] is null or q.project_id = any(${seen.projectIds}::int[]))`;
