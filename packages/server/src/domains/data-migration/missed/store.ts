import type { Executor, Tx } from '../../../platform/db/index.ts';

/** A job whose next watched due time has passed or is unknown. */
export type WatchedJob = {
  readonly id: number;
  readonly cronExpression: string;
  readonly timeZone: string;
  readonly watchDueAt: Date | null;
  /** Current time of PostgreSQL. */
  readonly now: Date;
};

/** Returns jobs to check, longest waiting first. */
export async function readWatched(
  executor: Executor,
  graceSeconds: number,
  limit: number,
): Promise<WatchedJob[]> {
  const { rows } = await executor.query<WatchedJob>(
    `select id, cron_expression as "cronExpression", coalesce(time_zone, 'UTC') as "timeZone",
        watch_due_at as "watchDueAt", now() as now
      from svc.migration_jobs
      where archived_at is null and is_enabled and cron_expression is not null
        and (watch_due_at is null or watch_due_at <= now() - $1 * interval '1 second')
      order by watch_due_at nulls first, id limit $2`,
    [graceSeconds, limit],
  );
  return rows;
}

/** Advances the watched due time. Returns false when another process advanced it or changed the schedule meanwhile. */
export async function moveWatch(tx: Tx, watched: WatchedJob, nextDueAt: Date | null): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.migration_jobs set watch_due_at = coalesce($3::timestamptz, 'infinity')
      where id = $1 and archived_at is null and watch_due_at is not distinct from $2`,
    [watched.id, watched.watchDueAt, nextDueAt],
  );
  return rowCount === 1;
}

/** Returns the due times whose copy started in time, or that passed during an earlier copy. */
export async function startedInTime(
  executor: Executor,
  id: number,
  dueTimes: readonly Date[],
  graceSeconds: number,
): Promise<Date[]> {
  const { rows } = await executor.query<{ dueAt: Date }>(
    `select due_at as "dueAt" from unnest($2::timestamptz[]) as due_at
      where exists (select from svc.migration_executions e where e.migration_job_id = $1
        and e.started_at <= due_at + $3 * interval '1 second'
        and ((e.trigger = 'Schedule' and e.created_time = due_at)
          or (e.started_at <= due_at and coalesce(e.finished_at, now()) >= due_at)))`,
    [id, dueTimes, graceSeconds],
  );
  return rows.map(({ dueAt }) => dueAt);
}

export type NewlyMissed = {
  readonly id: number;
  readonly firstDueAt: Date;
  readonly lastDueAt: Date;
  readonly missedCount: number;
};

/**
 * Extends the current outage. Returns false when there is no outage, or when a scheduled copy has started in time
 * since.
 */
export async function extendMissed(tx: Tx, missed: NewlyMissed, graceSeconds: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.migration_jobs j set missed_last_due_at = $3, missed_count = j.missed_count + $4
      where j.id = $1 and j.missed_last_due_at is not null
        and not exists (select from svc.migration_executions e
          where e.migration_job_id = j.id and e.trigger = 'Schedule' and e.created_time > j.missed_last_due_at
            and e.created_time < $2 and e.started_at <= e.created_time + $5 * interval '1 second')`,
    [missed.id, missed.firstDueAt, missed.lastDueAt, missed.missedCount, graceSeconds],
  );
  return rowCount === 1;
}

export async function beginMissed(tx: Tx, missed: NewlyMissed): Promise<void> {
  await tx.query(
    `update svc.migration_jobs set missed_first_due_at = $2, missed_last_due_at = $3, missed_count = $4
      where id = $1`,
    [missed.id, missed.firstDueAt, missed.lastDueAt, missed.missedCount],
  );
}
