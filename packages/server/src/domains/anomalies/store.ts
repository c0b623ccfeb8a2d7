import type { AnomalySeverity, AnomalyVerdict, AnomalyWatch } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { RunKey } from '../../doors/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { Point } from './detect/point.ts';

/** Points beyond these are too old to matter, whatever the lookback. */
const pointsMax = 2_000;

/** Counts of the scheduled runs before one, oldest first: what is expected of it is learnt from them. */
export async function pointsBefore(
  executor: Executor,
  subscriptionId: number,
  dueAt: Date,
  lookbackDays: number,
): Promise<Point[]> {
  const { rows } = await executor.query<{
    dueAt: Date;
    count: number;
    flagged: 'Up' | 'Down' | null;
    verdict: AnomalyVerdict | null;
  }>({
    name: 'anomalies-points',
    text: `select due_at as "dueAt", result_count as count, anomaly_direction as flagged, anomaly_verdict as verdict
      from svc.runs
      where subscription_id = $1 and due_at < $2 and due_at >= $2 - make_interval(days => $3::int)
        and origin = 'Schedule' and status not in ('Created', 'Skipped', 'Timeout') and result_count is not null
      order by due_at desc, id desc limit $4`,
    values: [subscriptionId, dueAt, lookbackDays, pointsMax],
  });
  return rows.reverse().map(({ verdict, ...row }) => ({ ...row, isExpected: verdict === 'Expected' }));
}

/** Says of a run that was flagged whether it was to be expected; false when it was not flagged. */
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

/** The project of a subscription and how its counts are watched; undefined when there is none. */
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

/** The newest runs with a count, newest first. @param visible  A condition on `svc.runs` as `r`. */
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

/** How many of the runs that a caller sees teach what is expected. */
export async function countPoints(
  executor: Executor,
  subscriptionId: number,
  lookbackDays: number,
  visible: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select least(count(*), ${pointsMax}) as count from svc.runs r
    where r.subscription_id = ${subscriptionId} and r.due_at >= now() - make_interval(days => ${lookbackDays}::int)
      and r.origin = 'Schedule' and r.status not in ('Created', 'Skipped', 'Timeout') and r.result_count is not null
      and (r.anomaly_direction is null or r.anomaly_verdict = 'Expected') and ${visible}`.execute(
    executor.kysely,
  );
  return rows[0]?.count ?? 0;
}

/** A run of a subscription that a caller sees; undefined when there is none. */
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
