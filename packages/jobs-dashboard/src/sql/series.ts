import type { Db } from '../db.ts';

/** Ended jobs of one time step. */
export type SeriesPoint = {
  readonly at: Date;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly retried: number;
  readonly avgDurationMs: number | null;
};

/** Returns the ended jobs of each minute of the last hour, or of each hour of the last days. Includes steps without jobs. */
export function readSeries(db: Db, step: 'minute' | 'hour', count: number): Promise<SeriesPoint[]> {
  const statistics =
    step === 'minute'
      ? `select minute as at, completed, failed, cancelled, retried, duration_ms from ${db.schema}.job_minute_statistic`
      : `select hour as at, completed, failed, cancelled, retried, duration_ms from ${db.schema}.job_statistic`;
  return db.rows<SeriesPoint>(
    `
with span as (
  select date_trunc('${step}', now(), 'UTC') - ($1::integer - 1) * interval '1 ${step}' as since
),
sums as (
  select date_trunc('${step}', t.at, 'UTC') as at, sum(completed) as completed, sum(failed) as failed,
    sum(cancelled) as cancelled, sum(retried) as retried, sum(duration_ms) as duration_ms
  from (
    ${statistics}
    union all select at, completed, failed, cancelled, retried, duration_ms from ${db.schema}.job_counter
  ) t, span
  where t.at >= span.since group by 1
)
select p.at, coalesce(s.completed, 0) as completed, coalesce(s.failed, 0) as failed,
  coalesce(s.cancelled, 0) as cancelled, coalesce(s.retried, 0) as retried,
  s.duration_ms::float8 / nullif(s.completed + s.failed + s.retried, 0) as "avgDurationMs"
from span, generate_series(span.since, now(), interval '1 ${step}') as p (at)
left join sums s on s.at = p.at
order by p.at`,
    [count],
  );
}
