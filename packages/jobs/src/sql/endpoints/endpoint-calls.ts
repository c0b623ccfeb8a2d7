import { createHash } from 'node:crypto';
import type { EndpointIncrements } from '../../observability/counters.ts';
import { type Sql, statement } from '../statement.ts';
import { type CallBatch, copyCallsText, copyData } from './call-batch.ts';
import type { DecodedCall } from './call-columns.ts';

/** Values that all calls of an endpoint share. */
export type CallSource = {
  readonly application: string | null;
  readonly method: string;
  readonly routeTemplate: string;
  readonly operation: string | null;
  readonly machineName: string;
};

/** Stored source, one row for all its calls. */
export type StoredSource = CallSource & {
  /** Hash of all other members. Equal sources have equal ids in every process. */
  readonly id: bigint;
  /** Retention of its rows. */
  readonly retentionMs: number;
};

/** Returns a source with its id. */
export function storedSource(source: CallSource, retentionMs: number): StoredSource {
  const { application, method, routeTemplate, operation, machineName } = source;
  const all = JSON.stringify([application, method, routeTemplate, operation, machineName, retentionMs]);
  return { ...source, retentionMs, id: createHash('sha256').update(all).digest().readBigInt64BE() };
}

/** Values recorded for every call. */
export type CallSummary = {
  readonly groupName: string | null;
  readonly durationMs: number;
  readonly outcome: 'Success' | 'Failed';
  readonly statusCode: number;
  readonly remoteIp: string | null;
  readonly userAgent: string | null;
};

/** Optional values. Most calls have none of them. */
export type CallDetail = {
  readonly userName: string | null;
  readonly exceptionType: string | null;
  readonly exceptionMessage: string | null;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
};

/** One observed call. */
export type EndpointCall = CallSummary & {
  readonly source: StoredSource;
  /** Null when the call has no optional values. */
  readonly detail: CallDetail | null;
  /** Start time in ms since 1970. */
  readonly atMs: number;
  /** Trace id as a uuid. Null means the id of the call: the request had no trace id and the handler used none. */
  readonly traceId: string | null;
};

// An existing source is updated at most once an hour, as proof that it is in use.
const keepSources = statement(
  'endpoint_sources',
  (schema) => `
insert into ${schema}.endpoint_source as s (id, application, method, route_template, operation, machine_name, retention_ms)
select c.id, c.application, c.method, c."routeTemplate", c.operation, c."machineName", c."retentionMs"
from json_to_recordset($1::json) as c (id bigint, application text, method text, "routeTemplate" text, operation text,
  "machineName" text, "retentionMs" bigint)
order by c.id
on conflict (id) do update set seen_at = now() where s.seen_at < now() - interval '1 hour'`,
  { isPrepared: false },
);

/** Stores sources and marks existing ones as in use. */
export async function keepEndpointSources(sql: Sql, sources: readonly StoredSource[]): Promise<void> {
  const values = sources.map((source) => ({ ...source, id: String(source.id) }));
  await sql.db.run(keepSources(sql), [JSON.stringify(values)]);
}

const removeSources = statement(
  'remove_endpoint_sources',
  (schema) => `
delete from ${schema}.endpoint_source s
where s.seen_at < now() - interval '1 day' - s.retention_ms * interval '1 millisecond'
  and not exists (select from ${schema}.endpoint_call_log l where l.source_id = s.id)`,
  { isPrepared: false },
);

/** Removes sources that no process uses and that have no rows. */
export async function removeOldSources(sql: Sql): Promise<void> {
  await sql.db.run(removeSources(sql), []);
}

const insert = statement(
  'endpoint_calls',
  (schema) => `
insert into ${schema}.endpoint_call_log (source_id, id, duration_ms, status_code, is_failed, group_name, trace_id,
  remote_ip, user_agent, user_name, exception_type, exception_message, request_headers, response_headers, request_body,
  response_body, tags)
select c."sourceId", c.id, c."durationMs", c."statusCode", c."isFailed", c."groupName",
  c."traceId", c."remoteIp", c."userAgent", c."userName", c."exceptionType", c."exceptionMessage", c."requestHeaders",
  c."responseHeaders", c."requestBody", c."responseBody", c.tags
from json_to_recordset($1::json) as c ("sourceId" bigint, id uuid, "durationMs" float8,
  "statusCode" integer, "isFailed" boolean, "groupName" text, "traceId" uuid, "remoteIp" text, "userAgent" text,
  "userName" text, "exceptionType" text, "exceptionMessage" text, "requestHeaders" jsonb, "responseHeaders" jsonb,
  "requestBody" text, "responseBody" text, tags jsonb)
on conflict (source_id, id) do nothing`,
  { isPrepared: false },
);

/** Inserts a row. An existing row does not change. */
export async function insertEndpointCall(sql: Sql, call: DecodedCall): Promise<void> {
  await sql.db.run(insert(sql), [JSON.stringify([call])]);
}

/**
 * Inserts batches of rows atomically.
 *
 * @returns false where the connections do not support it; nothing was inserted then.
 * @throws the error of PostgreSQL with the state 23505 when one of the rows exists.
 */
export async function copyEndpointCalls(sql: Sql, batches: readonly CallBatch[]): Promise<boolean> {
  if (!sql.db.copyIn) return false;
  await sql.db.copyIn(copyCallsText(sql.schema, batches), batches.map(copyData));
  return true;
}

// Sorted, so that processes which update the same rows lock them in the same order. An existing flush id adds nothing:
// an earlier attempt was stored, but its response was lost.
const add = statement(
  'endpoint_statistics',
  (schema) => `
with mark as (
  insert into ${schema}.endpoint_flush (id) values ($5) on conflict (id) do nothing returning id
),
totals as (
  insert into ${schema}.endpoint_statistic as s (application, endpoint, success, failed, duration_ms, buckets)
  select $1, i.endpoint, i.success, i.failed, i."durationMs", array(
    select value::bigint from json_array_elements_text(i.buckets) with ordinality b (value, place) order by place
  )
  from mark, json_to_recordset($2::json)
    as i (endpoint text, success bigint, failed bigint, "durationMs" bigint, buckets json)
  order by i.endpoint
  on conflict (application, endpoint) do update set success = s.success + excluded.success,
    failed = s.failed + excluded.failed, duration_ms = s.duration_ms + excluded.duration_ms,
    buckets = array(
      select coalesce(a, 0) + coalesce(b, 0)
      from unnest(s.buckets, excluded.buckets) with ordinality as u (a, b, place) order by place
    )
),
groups as (
  insert into ${schema}.endpoint_group_statistic as s (application, endpoint, group_name, success, failed, duration_ms)
  select $1, i.endpoint, i.name, i.success, i.failed, i."durationMs"
  from mark, json_to_recordset($3::json) as i (endpoint text, name text, success bigint, failed bigint, "durationMs" bigint)
  order by i.endpoint, i.name
  on conflict (application, endpoint, group_name) do update set success = s.success + excluded.success,
    failed = s.failed + excluded.failed, duration_ms = s.duration_ms + excluded.duration_ms
)
insert into ${schema}.endpoint_hour_statistic as s (application, endpoint, hour, success, failed, duration_ms)
select $1, i.endpoint, to_timestamp(i.name::float8 / 1000), i.success, i.failed, i."durationMs"
from mark, json_to_recordset($4::json) as i (endpoint text, name text, success bigint, failed bigint, "durationMs" bigint)
order by i.endpoint, i.name
on conflict (application, endpoint, hour) do update set success = s.success + excluded.success,
  failed = s.failed + excluded.failed, duration_ms = s.duration_ms + excluded.duration_ms`,
  { isPrepared: false },
);

function flatten(increments: EndpointIncrements, part: 'groups' | 'hours') {
  return [...increments].flatMap(([endpoint, increment]) =>
    [...increment[part]].map(([name, sum]) => ({ endpoint, name: String(name), ...sum })),
  );
}

/** Adds increments to the stored statistics, atomically and only once per id. */
export async function addEndpointStatistics(
  sql: Sql,
  id: string,
  application: string | null,
  increments: EndpointIncrements,
): Promise<void> {
  const totals = [...increments].map(([endpoint, { success, failed, durationMs, buckets }]) => ({
    endpoint,
    success,
    failed,
    durationMs,
    buckets,
  }));
  await sql.db.run(add(sql), [
    application ?? '',
    JSON.stringify(totals),
    JSON.stringify(flatten(increments, 'groups')),
    JSON.stringify(flatten(increments, 'hours')),
    id,
  ]);
}

/** Maximum number of rows that one statement removes. */
export const removedCallsMax = 1_000;

// Ids begin with the time of their call in ms, so the index returns the rows of a source in the order of time.
const removeExpired = statement(
  'remove_endpoint_calls',
  (schema) => `
with old as (
  select c.source_id, c.id from ${schema}.endpoint_source s cross join lateral (
    select l.source_id, l.id from ${schema}.endpoint_call_log l
    where l.source_id = s.id and l.id < (lpad(to_hex(greatest(0,
      floor(extract(epoch from coalesce($1::timestamptz, now())) * 1000)::bigint - s.retention_ms)), 12, '0') || repeat('0', 20))::uuid
    order by l.id limit ${removedCallsMax}
  ) c limit ${removedCallsMax}
)
delete from ${schema}.endpoint_call_log c using old where c.source_id = old.source_id and c.id = old.id returning 1`,
  { isPrepared: false },
);

/** Removes expired rows, at most `removedCallsMax`. Returns their number. */
export async function removeExpiredCalls(sql: Sql): Promise<number> {
  return (await sql.db.run(removeExpired(sql), [sql.now()])).length;
}

// Reads enough rows of each source to cover the retained rows, plus a margin. Rows beyond them are surplus in any case.
const removeSurplus = statement(
  'remove_surplus_calls',
  (schema) => `
with endpoints as (
  select array_agg(s.id) as ids from ${schema}.endpoint_source s
  where s.application is not distinct from $1 group by s.method, s.route_template
),
old as (
  select c.source_id, c.id from endpoints e cross join lateral (
    select n.source_id, n.id from unnest(e.ids) as i (id) cross join lateral (
      select l.source_id, l.id from ${schema}.endpoint_call_log l where l.source_id = i.id
      order by l.id desc limit $2::bigint + ${removedCallsMax}
    ) n order by n.id desc offset $2 limit ${removedCallsMax}
  ) c limit ${removedCallsMax}
)
delete from ${schema}.endpoint_call_log c using old where c.source_id = old.source_id and c.id = old.id returning 1`,
  { isPrepared: false },
);

/**
 * Removes the oldest rows of each endpoint of an application beyond `countMax`, at most `removedCallsMax`. Returns
 * their number.
 */
export async function removeSurplusCalls(
  sql: Sql,
  application: string | null,
  countMax: number,
): Promise<number> {
  return (await sql.db.run(removeSurplus(sql), [application, countMax])).length;
}

const removeOldHours = statement(
  'remove_endpoint_hours',
  (schema) => `
delete from ${schema}.endpoint_hour_statistic
where hour < coalesce($1::timestamptz, now()) - interval '8 days'`,
);

/** Removes hourly sums older than eight days. The longest view covers a week. */
export async function removeOldHourlySums(sql: Sql): Promise<void> {
  await sql.db.run(removeOldHours(sql), [sql.now()]);
}

const removeFlushes = statement(
  'remove_endpoint_flushes',
  (schema) => `delete from ${schema}.endpoint_flush where at < now() - interval '1 day'`,
);

/** Removes flush ids older than a day. No process retries these increments any more. */
export async function removeOldFlushes(sql: Sql): Promise<void> {
  await sql.db.run(removeFlushes(sql), []);
}
