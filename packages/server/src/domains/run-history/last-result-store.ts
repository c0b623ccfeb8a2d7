import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { replacedChain } from './replacements.ts';

/** Newest run of a query with stored rows. */
export type KeptRow = {
  readonly notificationId: number;
  readonly subscriptionId: number | null;
  readonly ranAt: Date;
  readonly origin: 'Schedule' | 'Test';
  readonly startedByUserName: string | null;
  readonly versionNumber: number | null;
  readonly resultCount: number | null;
  readonly storedResults: unknown;
};

/** Runs whose newest stored rows are read. */
type KeptResultOf = {
  readonly queryId: number;
  /** Only runs of this subscription. */
  readonly subscriptionId?: number | undefined;
  /** Only runs in these intervals. They are intervals of subscriptions of the query. */
  readonly intervals?: readonly TaskInterval[] | undefined;
};

/**
 * Interval in which a task was open and belonged to a subscription. The times are text, because a `Date` has no
 * microseconds.
 */
type TaskInterval = {
  readonly subscriptionId: number;
  /** Inclusive. */
  readonly openedAt: string;
  /** Exclusive; `infinity`: the task is open. */
  readonly closedAt: string;
};

/** Maximum time between the due time and the end of a run of a task, in days. It bounds the partitions to read. */
const runDaysMax = 31;

/**
 * Returns the intervals in which a task of a query was open, for each of its subscriptions. The interval of a replaced
 * subscription ends with the creation of its replacement, which moves the task in the same transaction. The run that
 * resolves a task ends at the end of the interval and is excluded.
 *
 * @param task.projectIds  ids of the projects that the caller can read.
 * @returns no interval for a missing task, a task of another query or a data contract, or a task of another project.
 */
export async function findTaskIntervals(
  executor: Executor,
  task: { readonly id: number; readonly queryId: number; readonly projectIds: readonly number[] },
): Promise<TaskInterval[]> {
  const { rows } = await executor.query<TaskInterval>(
    `with recursive task as (
        select t.id, t.subscription_id, t.created_time, t.resolved_at
        from svc.tasks t join svc.subscriptions s on s.id = t.subscription_id
        where t.id = $1 and s.query_id = $2 and t.project_id = any($3::int[])),
      change as (
        select 0 as id, t.created_time as at, true as opens from task t
        union all
        select e.id, e.created_time, e.kind = 'Reopened' from task t join svc.task_events e on e.task_id = t.id
        where e.kind in ('Resolved', 'Reopened')),
      state as (select c.at, c.opens, lead(c.at) over (order by c.id) as next_at from change c),
      ${replacedChain('(select subscription_id from task)')},
      spans as (
        select o.id, a.at as opened_at,
          least(coalesce(a.next_at, t.resolved_at, 'infinity'), o.replaced_at) as closed_at
        from task t cross join state a cross join chain o where a.opens)
      select id as "subscriptionId", opened_at::text as "openedAt", closed_at::text as "closedAt" from spans
      where opened_at < closed_at order by opened_at, id`,
    [task.id, task.queryId, task.projectIds],
  );
  return rows;
}

/** Condition for the runs that ended in one of the intervals. All bounds are computed once. */
function endedIn(intervals: readonly TaskInterval[]): RawBuilder<boolean> {
  const ids = intervals.map(({ subscriptionId }) => subscriptionId);
  const openedAt = intervals.map((interval) => interval.openedAt);
  const closedAt = intervals.map((interval) => interval.closedAt);
  return sql<boolean>`r.subscription_id = any(${ids}::int[])
    and r.due_at >= (select min(o) from unnest(${openedAt}::timestamptz[]) as o) - ${runDaysMax}::int * interval '1 day'
    and r.due_at <= (select max(c) from unnest(${closedAt}::timestamptz[]) as c)
    and exists (select from unnest(${ids}::int[], ${openedAt}::timestamptz[], ${closedAt}::timestamptz[])
        as i (subscription_id, opened_at, closed_at)
      where i.subscription_id = r.subscription_id and r.finished_at >= i.opened_at and r.finished_at < i.closed_at)`;
}

/** Condition for the runs of a query. It uses the subscriptions, because their runs are indexed by time. */
const ofQuery = ({ queryId, subscriptionId }: KeptResultOf): RawBuilder<boolean> => {
  const onlyId = subscriptionId ?? null;
  return sql<boolean>`r.subscription_id = any(array(select s.id from svc.subscriptions s where s.query_id = ${queryId}
    and (${onlyId}::int is null or s.id = ${onlyId})))`;
};

/** Selects the runs that stored rows and that the caller may see. Undefined: no run can match. */
function keptRuns(executor: Executor, visible: RawBuilder<boolean>, of: KeptResultOf) {
  const { subscriptionId } = of;
  const intervals = of.intervals?.filter(
    (interval) => subscriptionId === undefined || interval.subscriptionId === subscriptionId,
  );
  if (intervals?.length === 0) return undefined;
  return executor.kysely
    .selectFrom('svc.runs as r')
    .where(visible)
    .where(intervals ? endedIn(intervals) : ofQuery(of))
    .where('r.stored_results', 'is not', null);
}

/** Returns true if a run of a query stored rows and the caller may see the run. */
export async function hasKeptResult(
  executor: Executor,
  visible: RawBuilder<boolean>,
  of: KeptResultOf,
): Promise<boolean> {
  const row = await keptRuns(executor, visible, of)?.select('r.id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Finds the newest run of a query that stored rows and that the caller may see. */
export async function findKeptResult(
  executor: Executor,
  visible: RawBuilder<boolean>,
  of: KeptResultOf,
): Promise<KeptRow | undefined> {
  return keptRuns(executor, visible, of)
    ?.leftJoin('svc.users as u', 'u.id', 'r.started_by_user_id')
    .select([
      'r.id as notificationId',
      'r.subscription_id as subscriptionId',
      sql<Date>`coalesce(r.started_at, r.due_at)`.as('ranAt'),
      sql<'Schedule' | 'Test'>`r.origin`.as('origin'),
      sql<string | null>`coalesce(u.display_name, u.user_name)`.as('startedByUserName'),
      sql<
        number | null
      >`(select v.version_number from svc.query_versions v where v.id = r.query_version_id)`.as(
        'versionNumber',
      ),
      'r.result_count as resultCount',
      'r.stored_results as storedResults',
    ])
    .orderBy('r.due_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
