import type { Executor } from '../../client/executor.ts';
import { hintPayload, sendHint } from '../hints.ts';
import { channelLiteral, type Sql, statement } from '../statement.ts';

/** Stored recurring schedule. */
export type ScheduleRecord = {
  readonly key: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly jobName: string;
  readonly queue: string;
  readonly payload: unknown;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly priority: number;
  readonly attemptsMax: number;
  readonly isEnabled: boolean;
  readonly skipsOverlap: boolean;
  readonly nextDueAt: Date | null;
  /** Last due time that fired or was skipped. */
  readonly lastDueAt: Date | null;
  readonly lastJobId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const recordColumns = `s.key, s.cron, s.time_zone as "timeZone", s.job_name as "jobName", s.queue, s.payload, s.metadata,
  s.priority, s.attempts_max as "attemptsMax", s.is_enabled as "isEnabled", s.skips_overlap as "skipsOverlap",
  s.next_due_at as "nextDueAt", s.last_due_at as "lastDueAt", s.last_job_id as "lastJobId",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

const list = statement(
  'schedules',
  (schema) => `select ${recordColumns} from ${schema}.schedule s order by s.key`,
);
const one = statement(
  'schedule',
  (schema) => `select ${recordColumns} from ${schema}.schedule s where s.key = $1`,
);

/** Returns all schedules, ordered by key. */
export const listSchedules = (sql: Sql): Promise<ScheduleRecord[]> =>
  sql.db.run<ScheduleRecord>(list(sql), []);

/** Returns one schedule; null when it does not exist. */
export async function readSchedule(sql: Sql, key: string): Promise<ScheduleRecord | null> {
  return (await sql.db.run<ScheduleRecord>(one(sql), [key]))[0] ?? null;
}

/** Values of a schedule to store. `payload` and `metadata` are JSON texts. */
export type ScheduleColumns = {
  readonly key: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly jobName: string;
  readonly queue: string;
  readonly payload: string | null;
  readonly metadata: string | null;
  readonly priority: number;
  readonly attemptsMax: number;
  readonly concurrencyKey: string | null;
  readonly concurrencyLimit: number | null;
  readonly isEnabled: boolean;
  readonly skipsOverlap: boolean;
  /** Next due time after `readMoment`; null when disabled. */
  readonly nextDueAt: Date | null;
};

/** Returns PostgreSQL's time, read in the caller's transaction, with millisecond precision. */
export async function readMoment(sql: Sql, executor: Executor): Promise<Date> {
  const { rows } = await executor.query(
    'select (extract(epoch from coalesce($1::timestamptz, clock_timestamp())) * 1000)::float8::text as ms',
    [sql.now()?.toISOString() ?? null],
  );
  const [row] = rows as { ms: string }[];
  return new Date(Number(row?.ms));
}

/**
 * Stores a schedule. The next due time changes only with the expression, time zone or `isEnabled`. A process may
 * therefore store the same schedule at every start without losing or repeating a tick.
 */
export async function upsertSchedule(sql: Sql, executor: Executor, columns: ScheduleColumns): Promise<void> {
  await executor.query(
    `with written as (
  insert into ${sql.schema}.schedule as s (key, cron, time_zone, job_name, queue, payload, metadata, priority,
    attempts_max, concurrency_key, concurrency_limit, is_enabled, skips_overlap, next_due_at)
  values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8::smallint, $9::smallint, $10, $11::integer, $12::boolean,
    $13::boolean, $14::timestamptz)
  on conflict (key) do update set cron = excluded.cron, time_zone = excluded.time_zone, job_name = excluded.job_name,
    queue = excluded.queue, payload = excluded.payload, metadata = excluded.metadata, priority = excluded.priority,
    attempts_max = excluded.attempts_max, concurrency_key = excluded.concurrency_key,
    concurrency_limit = excluded.concurrency_limit, is_enabled = excluded.is_enabled,
    skips_overlap = excluded.skips_overlap, updated_at = now(),
    next_due_at = case when (s.cron, s.time_zone, s.is_enabled) = (excluded.cron, excluded.time_zone, excluded.is_enabled)
      then s.next_due_at else excluded.next_due_at end
  returning s.key
)
select ${sendHint(channelLiteral(sql), hintPayload.timesChanged)} is null as was_hinted from written`,
    [
      columns.key,
      columns.cron,
      columns.timeZone,
      columns.jobName,
      columns.queue,
      columns.payload,
      columns.metadata,
      columns.priority,
      columns.attemptsMax,
      columns.concurrencyKey,
      columns.concurrencyLimit,
      columns.isEnabled,
      columns.skipsOverlap,
      columns.nextDueAt?.toISOString() ?? null,
    ],
  );
}

/** Enables or disables a schedule. Returns false when it does not exist. */
export async function switchSchedule(
  sql: Sql,
  executor: Executor,
  key: string,
  isEnabled: boolean,
  nextDueAt: Date | null,
): Promise<boolean> {
  const { rows } = await executor.query(
    `with written as (
  update ${sql.schema}.schedule s set is_enabled = $2::boolean, updated_at = now(),
    next_due_at = case when s.is_enabled = $2::boolean then s.next_due_at else $3::timestamptz end
  where s.key = $1 returning s.key
)
select ${sendHint(channelLiteral(sql), hintPayload.timesChanged)} is null as was_hinted from written`,
    [key, isEnabled, nextDueAt?.toISOString() ?? null],
  );
  return rows.length > 0;
}

/** Returns the expression of a schedule, read in the caller's transaction; null when the schedule does not exist. */
export async function readExpression(
  sql: Sql,
  executor: Executor,
  key: string,
): Promise<{ cron: string; timeZone: string } | null> {
  const { rows } = await executor.query(
    `select cron, time_zone as "timeZone" from ${sql.schema}.schedule where key = $1`,
    [key],
  );
  return (rows as { cron: string; timeZone: string }[])[0] ?? null;
}

/** Removes a schedule and its ticks, but not the jobs that it fired. Returns false when it does not exist. */
export async function deleteSchedule(sql: Sql, executor: Executor, key: string): Promise<boolean> {
  const { rows } = await executor.query(
    `with gone as (delete from ${sql.schema}.schedule where key = $1 returning key),
ticks as (delete from ${sql.schema}.schedule_tick where schedule_key = $1)
select key from gone`,
    [key],
  );
  return rows.length > 0;
}

/** Fired or skipped tick of a schedule. */
export type TickRecord = {
  readonly dueAt: Date;
  readonly firedAt: Date;
  /** Null when the tick was skipped because the job of an earlier tick had not ended. */
  readonly jobId: string | null;
  readonly missedCount: number;
};

const ticks = statement(
  'ticks',
  (schema) => `
select due_at as "dueAt", fired_at as "firedAt", job_id as "jobId", missed_count as "missedCount"
from ${schema}.schedule_tick where schedule_key = $1 order by due_at desc limit $2`,
);

/** Returns the newest ticks of a schedule, newest first. */
export const listTicks = (sql: Sql, key: string, limit: number): Promise<TickRecord[]> =>
  sql.db.run<TickRecord>(ticks(sql), [key, limit]);
