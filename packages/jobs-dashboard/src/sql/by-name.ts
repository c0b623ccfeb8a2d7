import type { Db } from '../db.ts';

/** Ended jobs of one name. */
export type NameStatistic = {
  readonly name: string;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly retried: number;
  /** Mean duration of an attempt; null without completed, failed or retried attempts. */
  readonly avgDurationMs: number | null;
};

/** Returns the ended jobs of the last hours by job name, highest count first. */
export const readByName = (db: Db, hours: number, limit: number): Promise<NameStatistic[]> =>
  db.rows<NameStatistic>(
    `select t.name, sum(completed) as completed, sum(failed) as failed, sum(cancelled) as cancelled,
       sum(retried) as retried,
       sum(duration_ms)::float8 / nullif(sum(completed + failed + retried), 0) as "avgDurationMs"
     from (
       select hour as at, name, completed, failed, cancelled, retried, duration_ms
       from ${db.schema}.job_statistic
       union all
       select at, name, completed, failed, cancelled, retried, duration_ms from ${db.schema}.job_counter
     ) t
     where t.at >= date_trunc('hour', now(), 'UTC') - ($1::integer - 1) * interval '1 hour'
     group by t.name order by sum(completed + failed + cancelled + retried) desc, t.name collate "C"
     limit $2::integer`,
    [hours, limit],
  );
