import type { JobKind, JobState } from '../../states.ts';
import { type Sql, statement } from '../statement.ts';

/** Stored job, message or batch. */
export type JobRecord = {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly name: string;
  readonly queue: string;
  readonly priority: number;
  /** Number of attempts since the job was enqueued or requeued. */
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
  /** Start of the next attempt; after the end, start of the last attempt. */
  readonly dueAt: Date;
  /** Time for which a schedule created the job; null for a job that no schedule created. */
  readonly slotAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly expireAt: Date | null;
  /** Progress reported by the handler, 0 to 1. */
  readonly progress: number | null;
  readonly progressText: string | null;
  /** Error text of the last failed attempt. */
  readonly error: string | null;
  readonly payload: unknown;
  readonly metadata: Readonly<Record<string, unknown>> | null;
};

/** Columns of a `JobRecord`, from a table aliased `j`. */
export const recordColumns = `j.id, j.kind::text as kind, j.state::text as state, j.name, j.queue, j.priority, j.attempt,
  j.attempts_max as "attemptsMax", j.trace_id as "traceId", j.spawned_by as "spawnedBy", j.parent_id as "parentId",
  j.batch_id as "batchId", j.schedule_key as "scheduleKey", j.concurrency_key as "concurrencyKey",
  j.dedupe_key as "dedupeKey", j.created_at as "createdAt", j.due_at as "dueAt", j.slot_at as "slotAt", j.started_at as "startedAt",
  j.finished_at as "finishedAt", j.cancel_requested_at as "cancelRequestedAt", j.expire_at as "expireAt", j.progress,
  j.progress_text as "progressText", j.error, j.payload, j.metadata`;

const one = statement('get', (schema) => `select ${recordColumns} from ${schema}.job j where j.id = $1`);

/** Returns one job; null when it does not exist or was removed. */
export async function readJob(sql: Sql, id: string): Promise<JobRecord | null> {
  return (await sql.db.run<JobRecord>(one(sql), [id]))[0] ?? null;
}

/** Entry of a job's history: a state change or a log line of the handler. */
export type JobLogEntry = {
  readonly event: JobState | 'CancelRequested' | 'Recovered' | 'Log';
  readonly at: Date;
  readonly attempt: number | null;
  /** Duration of the attempt that ended with this entry. */
  readonly durationMs: number | null;
  readonly workerId: string | null;
  readonly level: string | null;
  readonly message: string | null;
  readonly error: string | null;
};

// The completion of a job is derived from its row. A requeue copies it into the log.
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

/** Returns the history of a job, oldest entry first, at most `limit` rows. */
export function readLog(sql: Sql, id: string, limit: number): Promise<JobLogEntry[]> {
  return sql.db.run<JobLogEntry>(log(sql), [id, limit]);
}
