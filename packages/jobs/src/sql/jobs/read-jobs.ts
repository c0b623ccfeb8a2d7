import type { JobKind, JobState } from '../../states.ts';
import { type Sql, statement } from '../statement.ts';

/** A job, message or batch as it is stored. */
export type JobRecord = {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly name: string;
  readonly queue: string;
  readonly priority: number;
  /** Attempts begun since it was enqueued or requeued. */
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly traceId: string;
  readonly spawnedBy: string | null;
  readonly parentId: string | null;
  readonly batchId: string | null;
  readonly scheduleKey: string | null;
  readonly concurrencyKey: string | null;
  readonly dedupeKey: string | null;
  readonly createdAt: Date;
  /** Start of the next attempt; after the end, of the last one. */
  readonly dueAt: Date;
  /** Time for which a schedule made the job; null for a job that no schedule made. */
  readonly slotAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly expireAt: Date | null;
  /** Share that is done, 0 to 1, as the handler told. */
  readonly progress: number | null;
  readonly progressText: string | null;
  /** Text of the error of the last attempt that failed. */
  readonly error: string | null;
  readonly payload: unknown;
  readonly metadata: Readonly<Record<string, unknown>> | null;
};

/** The columns of a `JobRecord`, from a table aliased `j`. */
export const recordColumns = `j.id, j.kind::text as kind, j.state::text as state, j.name, j.queue, j.priority, j.attempt,
  j.attempts_max as "attemptsMax", j.trace_id as "traceId", j.spawned_by as "spawnedBy", j.parent_id as "parentId",
  j.batch_id as "batchId", j.schedule_key as "scheduleKey", j.concurrency_key as "concurrencyKey",
  j.dedupe_key as "dedupeKey", j.created_at as "createdAt", j.due_at as "dueAt", j.slot_at as "slotAt", j.started_at as "startedAt",
  j.finished_at as "finishedAt", j.cancel_requested_at as "cancelRequestedAt", j.expire_at as "expireAt", j.progress,
  j.progress_text as "progressText", j.error, j.payload, j.metadata`;

const one = statement('get', (schema) => `select ${recordColumns} from ${schema}.job j where j.id = $1`);

/** Reads one job; null when there is none, or no longer. */
export async function readJob(sql: Sql, id: string): Promise<JobRecord | null> {
  return (await sql.db.run<JobRecord>(one(sql), [id]))[0] ?? null;
}

/** One entry of a job's history: a state that was entered, or what its handler wrote. */
export type JobLogEntry = {
  readonly event: JobState | 'CancelRequested' | 'Recovered' | 'Log';
  readonly at: Date;
  readonly attempt: number | null;
  /** How long the attempt took that ended here. */
  readonly durationMs: number | null;
  readonly workerId: string | null;
  readonly level: string | null;
  readonly message: string | null;
  readonly error: string | null;
};

// The completion of a job is told by its row; it becomes a row of the log when the job is requeued.
const log = statement(
  'log',
  (schema) => `
select event, at, attempt, duration_ms as "durationMs", worker_id as "workerId", level, message, error
from (
  select event, at, attempt, duration_ms, worker_id, level, message, error, id
  from ${schema}.job_log where job_id = $1
  union all
  select 'Completed', finished_at, attempt, (extract(epoch from finished_at - started_at) * 1000)::integer, worker_id,
    null, null, null, 9223372036854775807
  from ${schema}.job where id = $1 and state = 'Completed' and kind = 'Job'
) l
order by at, id limit $2`,
);

/** Reads what was written about a job, oldest first, at most `limit` rows. */
export function readLog(sql: Sql, id: string, limit: number): Promise<JobLogEntry[]> {
  return sql.db.run<JobLogEntry>(log(sql), [id, limit]);
}
