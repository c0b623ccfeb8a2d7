import type { JobLogEntry, JobRecord } from '@svc/jobs';
import type { Db } from '../db.ts';
import { callsOfTrace } from './calls-of-trace.ts';
import { itemColumns, type JobItem } from './job-columns.ts';

/** Current values of a job that are not in its row. */
export type JobMoment = {
  readonly hasOpenBatch: boolean;
  readonly workerId: string | null;
  readonly serverName: string | null;
};

/** Returns other jobs in the form of list items, by id. */
export async function readItems(
  db: Db,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, JobItem>> {
  const presentIds = ids.filter((id) => id !== null);
  if (presentIds.length === 0) return new Map();
  const rows = await db.rows<JobItem>(
    `select ${itemColumns} from ${db.schema}.job j where j.id = any($1::uuid[])`,
    [presentIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the worker of a job and the state of its batch. */
export async function readMoment(db: Db, job: JobRecord): Promise<JobMoment> {
  const [row] = await db.rows<JobMoment>(
    `select coalesce(b.state = 'Processing', false) as "hasOpenBatch", j.worker_id as "workerId", s.name as "serverName"
     from ${db.schema}.job j left join ${db.schema}.job b on b.id = j.batch_id
     left join ${db.schema}.worker w on w.id = j.worker_id left join ${db.schema}.server s on s.id = w.server_id
     where j.id = $1`,
    [job.id],
  );
  return row ?? { hasOpenBatch: false, workerId: null, serverName: null };
}

/** Log line of a handler. */
export type LogLine = {
  readonly id: number;
  readonly at: Date;
  readonly attempt: number | null;
  readonly level: string | null;
  readonly message: string | null;
};

/** Returns the log lines of a job after a line id, oldest first. */
export const readLines = (db: Db, jobId: string, afterId: number, limit: number): Promise<LogLine[]> =>
  db.rows<LogLine>(
    `select id, at, attempt, level, message from ${db.schema}.job_log
     where job_id = $1 and event = 'Log' and id > $2::bigint order by id limit $3::integer`,
    [jobId, afterId, limit],
  );

/** Returns the state changes and other events of a job, oldest first, at most `limit`. */
export const readHistory = (db: Db, jobId: string, limit: number): Promise<JobLogEntry[]> =>
  db.rows<JobLogEntry>(
    `select event, at, attempt, duration_ms as "durationMs", worker_id as "workerId", level, message, error
     from ${db.schema}.job_log where job_id = $1 and event <> 'Log' order by at, id limit $2::integer`,
    [jobId, limit],
  );

/** Request during which a job was enqueued. */
export type OriginCall = {
  readonly id: string;
  readonly application: string | null;
  readonly method: string;
  readonly routeTemplate: string;
  readonly userName: string | null;
  readonly at: Date;
};

/** Returns the call of the job's trace during which the job was created, else the first call; null when none is stored. */
export async function readOrigin(db: Db, job: JobRecord): Promise<OriginCall | null> {
  const [row] = await db.rows<OriginCall>(
    `select l.id, s.application, s.method, s.route_template as "routeTemplate", l.user_name as "userName", l.began_at as at
     from ${callsOfTrace(db)} l join ${db.schema}.endpoint_source s on s.id = l.source_id
     order by ($2::timestamptz between l.began_at - interval '1 second'
       and l.began_at + (l.duration_ms + 1000) * interval '1 millisecond') desc, l.id limit 1`,
    [job.traceId, job.createdAt],
  );
  return row ?? null;
}
