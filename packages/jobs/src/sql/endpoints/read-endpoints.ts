import type { JobState } from '../../states.ts';
import { type Sql, statement } from '../statement.ts';
import type { CallDetail, CallSource, CallSummary } from './endpoint-calls.ts';

/** Returns the SQL expression of a call's start time. */
const beganAt = (schema: string, row: string) => `coalesce(${row}.at, ${schema}.time_of_uuid(${row}.id))`;

export type EndpointTotals = {
  readonly endpoint: string;
  readonly success: number;
  readonly failed: number;
  readonly durationMs: number;
  readonly buckets: readonly number[];
};

// Without an application, the sums cover all applications.
const totals = statement(
  'endpoint_totals',
  (schema) => `
select s.endpoint, sum(s.success) as success, sum(s.failed) as failed, sum(s.duration_ms) as "durationMs", (
  select array_agg(n order by place) from (
    select u.place, sum(u.count)::float8 as n
    from ${schema}.endpoint_statistic b, unnest(b.buckets) with ordinality u (count, place)
    where b.endpoint = s.endpoint and ($1::text is null or b.application = $1) group by u.place
  ) p
) as buckets
from ${schema}.endpoint_statistic s
where ($1::text is null or s.application = $1) and ($2::text is null or s.endpoint = $2)
group by s.endpoint order by s.endpoint`,
);

/** Returns the sums of all endpoints, or of one. */
export const readEndpointTotals = (
  sql: Sql,
  application: string | null,
  endpoint: string | null,
): Promise<EndpointTotals[]> => sql.db.run<EndpointTotals>(totals(sql), [application, endpoint]);

/** Sums of one caller group of an endpoint. */
export type EndpointGroupTotals = {
  readonly group: string;
  readonly success: number;
  readonly failed: number;
  readonly durationMs: number;
  /** Last failure among the stored rows; null without one. */
  readonly lastFailureAt: Date | null;
};

// The last failure of a group is the latest among its sources. Each is read from the index.
const groups = statement(
  'endpoint_groups',
  (schema) => `
with busiest as (
  select s.group_name, sum(s.success) as success, sum(s.failed) as failed, sum(s.duration_ms) as duration_ms
  from ${schema}.endpoint_group_statistic s
  where s.endpoint = $2 and ($1::text is null or s.application = $1)
  group by s.group_name order by sum(s.success + s.failed) desc, s.group_name limit 200
),
sources as materialized (
  select e.id from ${schema}.endpoint_source e
  where e.method || ' ' || e.route_template = $2
    and ($1::text is null or e.application is not distinct from nullif($1, ''))
)
select b.group_name as "group", b.success, b.failed, b.duration_ms as "durationMs", (
  select max(f.at) from sources e cross join lateral (
    select ${beganAt(schema, 'l')} as at from ${schema}.endpoint_call_log l
    where l.source_id = e.id and l.group_name = b.group_name and l.group_name is not null and l.is_failed
    order by l.id desc limit 1
  ) f
) as "lastFailureAt"
from busiest b order by b.success + b.failed desc, b.group_name`,
  { isPrepared: false },
);

/** Returns the caller groups of an endpoint, most calls first, at most 200. */
export const readEndpointGroups = (
  sql: Sql,
  application: string | null,
  endpoint: string,
): Promise<EndpointGroupTotals[]> => sql.db.run<EndpointGroupTotals>(groups(sql), [application, endpoint]);

export type EndpointHour = {
  readonly hour: Date;
  readonly success: number;
  readonly failed: number;
  readonly durationMs: number;
};

const hours = statement(
  'endpoint_hours',
  (schema) => `
select s.hour, sum(s.success) as success, sum(s.failed) as failed, sum(s.duration_ms) as "durationMs"
from ${schema}.endpoint_hour_statistic s
where s.hour >= date_trunc('hour', now(), 'UTC') - ($3::integer - 1) * interval '1 hour'
  and ($1::text is null or s.application = $1) and ($2::text is null or s.endpoint = $2)
group by s.hour order by s.hour`,
);

/** Returns the sums of the last hours, oldest first. Hours without calls are omitted. */
export const readEndpointHours = (
  sql: Sql,
  application: string | null,
  endpoint: string | null,
  count: number,
): Promise<EndpointHour[]> => sql.db.run<EndpointHour>(hours(sql), [application, endpoint, count]);

/** Stored call. */
export type EndpointCallRecord = CallSource &
  CallSummary &
  CallDetail & {
    readonly id: string;
    readonly traceId: string;
    readonly at: Date;
    readonly expireAt: Date;
  };

// Columns of a row `l` and its source `s`.
const callColumns = (
  schema: string,
) => `l.id, s.application, s.method, s.route_template as "routeTemplate", s.operation,
  l.group_name as "groupName", ${beganAt(schema, 'l')} as at, l.duration_ms as "durationMs",
  case when l.is_failed then 'Failed' else 'Success' end as outcome, l.status_code as "statusCode",
  l.remote_ip as "remoteIp", l.user_agent as "userAgent", l.user_name as "userName",
  l.exception_type as "exceptionType", l.exception_message as "exceptionMessage",
  l.request_headers as "requestHeaders", l.response_headers as "responseHeaders", l.request_body as "requestBody",
  l.response_body as "responseBody", s.machine_name as "machineName", coalesce(l.trace_id, l.id) as "traceId", l.tags,
  ${beganAt(schema, 'l')} + s.retention_ms * interval '1 millisecond' as "expireAt"`;

// Reads the newest calls of each source in the order of its index, then the newest of these.
const recent = statement(
  'recent_calls',
  (schema) => `
select ${callColumns(schema)} from ${schema}.endpoint_source s cross join lateral (
  select * from ${schema}.endpoint_call_log c
  where c.source_id = s.id and ($4::text is null or c.group_name = $4)
  order by c.id desc limit $5::bigint + $6::bigint
) l
where s.method = $2 and s.route_template = $3
  and ($1::text is null or s.application is not distinct from nullif($1, ''))
order by l.id desc limit $5 offset $6`,
  { isPrepared: false },
);

export type RecentCallsQuery = {
  readonly application: string | null;
  readonly method: string;
  readonly routeTemplate: string;
  readonly group: string | null;
  readonly limit: number;
  readonly offset: number;
};

/** Returns the newest calls of an endpoint. */
export const readRecentCalls = (sql: Sql, query: RecentCallsQuery): Promise<EndpointCallRecord[]> =>
  sql.db.run<EndpointCallRecord>(recent(sql), [
    query.application,
    query.method,
    query.routeTemplate,
    query.group,
    query.limit,
    query.offset,
  ]);

// The query searches each source: sources are few, and the index begins with the source.
const call = statement(
  'endpoint_call',
  (schema) => `
select ${callColumns(schema)} from ${schema}.endpoint_source s cross join lateral (
  select * from ${schema}.endpoint_call_log c where c.source_id = s.id and c.id = $1 offset 0
) l`,
);

/** Returns one call; null when it does not exist or was removed. */
export async function readCall(sql: Sql, id: string): Promise<EndpointCallRecord | null> {
  return (await sql.db.run<EndpointCallRecord>(call(sql), [id]))[0] ?? null;
}

const byTrace = statement(
  'call_by_trace',
  (schema) => `
select ${callColumns(schema)} from (
  select * from ${schema}.endpoint_call_log c where c.trace_id = $1
  union all
  select c.* from ${schema}.endpoint_source e cross join lateral (
    select * from ${schema}.endpoint_call_log o where o.source_id = e.id and o.id = $1 offset 0
  ) c where c.trace_id is null
) l join ${schema}.endpoint_source s on s.id = l.source_id order by l.id limit 1`,
  { isPrepared: false },
);

/** Returns the request in which a trace began; null when it began elsewhere or the request is not stored. */
export async function readCallOfTrace(sql: Sql, traceId: string): Promise<EndpointCallRecord | null> {
  return (await sql.db.run<EndpointCallRecord>(byTrace(sql), [traceId]))[0] ?? null;
}

/** Job that belongs to a call. */
export type RelatedJob = {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly queue: string;
};

const related = statement(
  'related_jobs',
  (schema) => `
select j.id, j.name, j.state::text as state, j.queue from ${schema}.job j
where j.trace_id = $1 and j.trace_id <> j.id order by j.id limit 200`,
);

/** Returns the jobs that a request enqueued, oldest first, at most 200. */
export const readRelatedJobs = (sql: Sql, traceId: string): Promise<RelatedJob[]> =>
  sql.db.run<RelatedJob>(related(sql), [traceId]);

const applications = statement(
  'applications',
  (schema) =>
    `select distinct application from ${schema}.endpoint_statistic where application <> '' order by 1`,
);

/** Returns the names of the applications with recorded calls. */
export async function readApplications(sql: Sql): Promise<string[]> {
  return (await sql.db.run<{ application: string }>(applications(sql), [])).map((row) => row.application);
}
