import type { JobKind, JobState } from '@svc/jobs';
import type { Db } from '../db.ts';
import { callsOfTrace } from './calls-of-trace.ts';

/** Job of a trace. */
export type TraceJob = {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly name: string;
  readonly queue: string;
  readonly attempt: number;
  readonly spawnedBy: string | null;
  readonly parentId: string | null;
  readonly batchId: string | null;
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** Request of a trace. */
export type TraceCall = {
  readonly id: string;
  readonly application: string | null;
  readonly method: string;
  readonly routeTemplate: string;
  readonly statusCode: number;
  readonly outcome: 'Success' | 'Failed';
  readonly userName: string | null;
  readonly at: Date;
  readonly durationMs: number;
};

/** Ended attempt of a job of a trace. */
export type TraceEntry = {
  readonly jobId: string;
  readonly event: string;
  readonly at: Date;
  readonly attempt: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
};

/** Maximum number of shown jobs of a trace. */
export const traceJobsMax = 1_000;
const callsMax = 100;
const entriesMax = 10_000;

/** Returns the jobs of a trace, oldest first; one more than the maximum when more exist. */
export const readTraceJobs = (db: Db, traceId: string): Promise<TraceJob[]> =>
  db.rows<TraceJob>(
    `with found as materialized (
       (select * from ${db.schema}.job where id = $1::uuid and trace_id = id)
       union all
       (select * from ${db.schema}.job where trace_id = $1::uuid and trace_id <> id limit ${traceJobsMax + 1})
     )
     select id, kind::text as kind, state::text as state, name, queue, attempt, spawned_by as "spawnedBy",
       parent_id as "parentId", batch_id as "batchId", created_at as "createdAt", due_at as "dueAt",
       started_at as "startedAt", finished_at as "finishedAt"
     from found order by id limit ${traceJobsMax + 1}`,
    [traceId],
  );

/** Returns the calls of a trace, oldest first, at most 100. */
export const readTraceCalls = (db: Db, traceId: string): Promise<TraceCall[]> =>
  db.rows<TraceCall>(
    `select l.id, s.application, s.method, s.route_template as "routeTemplate", l.status_code as "statusCode",
       case when l.is_failed then 'Failed' else 'Success' end as outcome, l.user_name as "userName", l.began_at as at,
       l.duration_ms as "durationMs"
     from ${callsOfTrace(db)} l join ${db.schema}.endpoint_source s on s.id = l.source_id
     order by l.id limit ${callsMax}`,
    [traceId],
  );

/** Returns the ends of attempts of these jobs, oldest first. */
export const readTraceEntries = (db: Db, jobIds: readonly string[]): Promise<TraceEntry[]> =>
  db.rows<TraceEntry>(
    `select job_id as "jobId", event, at, attempt, duration_ms as "durationMs", left(error, 300) as error
     from ${db.schema}.job_log where job_id = any($1::uuid[]) and duration_ms is not null
     order by at, id limit ${entriesMax}`,
    [jobIds],
  );
