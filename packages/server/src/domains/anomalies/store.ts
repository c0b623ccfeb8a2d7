import type { AnomalySeverity, AnomalyVerdict, AnomalyWatch } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { RunKey } from '../../gateways/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { Point } from './detect/point.ts';

/** Condition on `svc.runs` as `r`: the run is part of the baseline. */
const teaches = `r.origin = 'Schedule' and r.status not in ('Created', 'Skipped', 'Timeout') and r.result_count is not null
  and r.anomaly_verdict is distinct from 'Real'`;
const pointColumns = `r.due_at as "dueAt", r.result_count as count, r.anomaly_direction as flagged,
  coalesce(r.anomaly_verdict = 'Expected', false) as "isExpected", r.expected_lower as lower, r.expected_upper as upper`;

/** Time window of the points to read, and their maximum number. */
export type PointsWindow = {
  readonly before: Date;
  readonly lookbackDays: number;
  readonly pointsMax: number;
  readonly newestPoints: number;
};

/**
 * Returns counts of the scheduled runs of a window, oldest first.
 *
 * A window with more than `pointsMax` runs is cut into that many equal intervals of time. The first run of each
 * interval and the newest runs are returned, so that the window stays complete and the read stays bounded.
 */
export async function pointsBefore(
  executor: Executor,
  subscriptionId: number,
  window: PointsWindow,
): Promise<Point[]> {
  const { before, lookbackDays, pointsMax, newestPoints } = window;
  const { rows: newest } = await executor.query<Point>({
    name: 'anomalies-points',
    text: `select ${pointColumns} from svc.runs r
      where r.subscription_id = $1 and r.due_at < $2 and r.due_at >= $2 - make_interval(days => $3::int) and ${teaches}
      order by r.due_at desc, r.id desc limit $4`,
    values: [subscriptionId, before, lookbackDays, pointsMax + 1],
  });
  if (newest.length <= pointsMax) return newest.toReversed();
  const complete = newest.slice(0, newestPoints).toReversed();
  const { rows: spread } = await executor.query<Point>({
    name: 'anomalies-points-spread',
    text: `with span as (
        select $2::timestamptz - make_interval(days => $3::int) as start,
          ($4::timestamptz - $2::timestamptz + make_interval(days => $3::int)) / $5::int as width)
      select one.* from span cross join generate_series(0, $5::int - 1) as i cross join lateral (
        select ${pointColumns} from svc.runs r
        where r.subscription_id = $1 and r.due_at >= span.start + i * span.width
          and r.due_at < span.start + (i + 1) * span.width and ${teaches}
        order by r.due_at, r.id limit 1) one
      order by one."dueAt"`,
    values: [subscriptionId, before, lookbackDays, complete[0]?.dueAt, pointsMax - newestPoints],
  });
  return [...spread, ...complete];
}

/** Stores the verdict of a user on a flagged run. Returns false if the run was not flagged. */
export async function setVerdict(
  executor: Executor,
  run: RunKey,
  verdict: AnomalyVerdict | null,
  userId: number | null,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.runs set anomaly_verdict = $3,
       anomaly_verdict_by_user_id = case when $3::text is not null then $4::int end,
       anomaly_verdict_at = case when $3::text is not null then now() end
     where id = $1 and due_at = $2 and anomaly_direction is not null`,
    [run.id, run.dueAt, verdict, userId],
  );
  return rowCount === 1;
}

/** Returns the project of a subscription and its watch settings. Undefined if the subscription does not exist. */
export async function findWatched(
  executor: Executor,
  subscriptionId: number,
): Promise<{ projectId: number; anomaly: AnomalyWatch | null } | undefined> {
  const { rows } = await executor.query<{ projectId: number; anomaly: AnomalyWatch | null }>(
    `select q.project_id as "projectId", s.anomaly from svc.subscriptions s join svc.queries q on q.id = s.query_id
      where s.id = $1`,
    [subscriptionId],
  );
  return rows[0];
}

export type ChartRow = {
  readonly notificationId: number;
  readonly dueAt: Date;
  readonly resultCount: number;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly severity: AnomalySeverity | null;
  readonly explanation: string | null;
  readonly verdict: AnomalyVerdict | null;
};

/** Lists the newest runs with a count, newest first. @param visible  A condition on `svc.runs` as `r`. */
export async function chartRows(
  executor: Executor,
  subscriptionId: number,
  { days, limit, visible }: { days: number; limit: number; visible: RawBuilder<boolean> },
): Promise<ChartRow[]> {
  const { rows } = await sql<ChartRow>`
    select r.id as "notificationId", r.due_at as "dueAt", r.result_count as "resultCount", r.expected_lower as lower,
      r.expected_upper as upper, r.anomaly_severity as severity, r.anomaly_explanation as explanation,
      r.anomaly_verdict as verdict
    from svc.runs r
    where r.subscription_id = ${subscriptionId} and r.due_at >= now() - make_interval(days => ${days}::int)
      and r.result_count is not null and r.status not in ('Created', 'Skipped') and ${visible}
    order by r.due_at desc, r.id desc limit ${limit}`.execute(executor.kysely);
  return rows;
}

/** Counts the visible runs that are part of the baseline. */
export async function countPoints(
  executor: Executor,
  subscriptionId: number,
  lookbackDays: number,
  visible: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from svc.runs r
    where r.subscription_id = ${subscriptionId} and r.due_at >= now() - make_interval(days => ${lookbackDays}::int)
      and ${sql.raw(teaches)} and ${visible}`.execute(executor.kysely);
  return rows[0]?.count ?? 0;
}

/** Finds a visible run of a subscription. Undefined if there is none. */
export async function findRunOf(
  executor: Executor,
  subscriptionId: number,
  runId: number,
  visible: RawBuilder<boolean>,
): Promise<RunKey | undefined> {
  const { rows } = await sql<RunKey>`
    select r.id, r.due_at as "dueAt" from svc.runs r
    where r.subscription_id = ${subscriptionId} and r.id = ${runId} and ${visible}`.execute(executor.kysely);
  return rows[0];
}
