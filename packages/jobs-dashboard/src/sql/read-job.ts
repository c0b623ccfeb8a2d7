import type { JobLogEntry, JobRecord } from '@svc/jobs';
import type { Db } from '../db.ts';
import { callsOfTrace } from './calls-of-trace.ts';
import { itemColumns, type JobItem } from './job-columns.ts';

/** What is shown of a job beyond its own row. */
export type JobMoment = {
  readonly hasOpenBatch: boolean;
  readonly workerId: string | null;
  readonly serverName: string | null;
};

/** Other jobs as lists show them, by id. */
export async function readItems(
  db: Db,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, JobItem>> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await db.rows<JobItem>(
    `select ${itemColumns} from ${db.schema}.job j where j.id = any($1::uuid[])`,
    [wanted],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which worker has the job, and whether its batch goes on. */
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

/** A line that a handler wrote. */
export type LogLine = {
  readonly id: number;
  readonly at: Date;
  readonly attempt: number | null;
  readonly level: string | null;
  readonly message: string | null;
};

/** Lines that handlers wrote, oldest first, after a line's id. */
export const readLines = (db: Db, jobId: string, afterId: number, limit: number): Promise<LogLine[]> =>
  db.rows<LogLine>(
    `select id, at, attempt, level, message from ${db.schema}.job_log
     where job_id = $1 and event = 'Log' and id > $2::bigint order by id limit $3::integer`,
    [jobId, afterId, limit],
  );

/** States that a job entered and what else happened to it, oldest first, at most `limit`. */
export const readHistory = (db: Db, jobId: string, limit: number): Promise<JobLogEntry[]> =>
  db.rows<JobLogEntry>(
    `select event, at, attempt, duration_ms as "durationMs", worker_id as "workerId", level, message, error
     from ${db.schema}.job_log where job_id = $1 and event <> 'Log' order by at, id limit $2::integer`,
    [jobId, limit],
  );

/** The request in whose course a job was enqueued. */
export type OriginCall = {
  readonly id: string;
  readonly application: string | null;
  readonly method: string;
  readonly routeTemplate: string;
  readonly userName: string | null;
  readonly at: Date;
};

/** The call of the job's trace during which it was created, else the one that began before; null when none is kept. */
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
