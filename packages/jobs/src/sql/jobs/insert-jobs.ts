import { type Executor, markPrepared } from '../../client/executor.ts';
import type { JobKind } from '../../states.ts';
import { hintPayload, sendHint } from '../hints.ts';
import { nameParameters, type Parameters } from '../parameters.ts';
import { channelLiteral, type Sql } from '../statement.ts';

/** Row to insert. `SharedColumns` contains the values that all rows of a call share. */
export type NewJob = {
  readonly id: string;
  /** Payload as JSON text; null without a payload. */
  readonly payload: string | null;
  readonly dueAt: Date | null;
  readonly dedupeKey: string | null;
  readonly concurrencyKey: string | null;
  readonly priority: number | null;
  readonly traceId: string | null;
};

/** Values that all rows of one call share. */
export type SharedColumns = {
  readonly name: string;
  readonly queue: string;
  readonly kind: JobKind;
  readonly priority: number;
  readonly attemptsMax: number;
  readonly delayMs: number | null;
  readonly dedupeEndsAtStart: boolean;
  readonly concurrencyLimit: number | null;
  readonly parentId: string | null;
  readonly runsAfterAny: boolean;
  readonly batchId: string | null;
  readonly spawnedBy: string | null;
  readonly scheduleKey: string | null;
  readonly metadata: string | null;
};

/** Returns the values of a column, or an empty array when all are null: `unnest` pads it with nulls. */
function column<T>(rows: readonly NewJob[], read: (row: NewJob) => T | null): (T | null)[] {
  return rows.some((row) => read(row) !== null) ? rows.map(read) : [];
}

/**
 * Inserts jobs in the caller's transaction and sends hints in the same statement, so that hints are sent only at
 * commit. Omits rows whose dedupe key is in use.
 *
 * A continuation is always inserted as waiting. A pass after commit checks its parent. A lock on the parent here would
 * block the worker that ends it for the duration of the caller's transaction.
 *
 * @returns ids of the inserted rows when any row has a dedupe key; else null: all rows were inserted. A missing parent
 *   inserts nothing and returns `isParentMissing`.
 * @throws the executor's error.
 */
export async function insertJobs(
  sql: Sql,
  executor: Executor,
  shared: SharedColumns,
  rows: readonly NewJob[],
): Promise<{ insertedIds: ReadonlySet<string> | null; isParentMissing: boolean }> {
  const dedupeKeys = column(rows, (row) => row.dedupeKey);
  const { text, valuesOf } = insertStatement(sql);
  const { rows: answer } = await executor.query(
    text,
    valuesOf({
      ...shared,
      ids: rows.map((row) => row.id),
      payloads: rows.map((row) => row.payload),
      dueAts: column(rows, (row) => row.dueAt?.toISOString() ?? null),
      dedupeKeys,
      concurrencyKeys: column(rows, (row) => row.concurrencyKey),
      priorities: column(rows, (row) => row.priority),
      traceIds: column(rows, (row) => row.traceId),
      now: sql.now()?.toISOString() ?? null,
      wantsIds: dedupeKeys.length > 0,
    }),
  );
  const [first] = answer as { inserted: number; ids: string | null; is_parent_missing: boolean }[];
  return {
    insertedIds: dedupeKeys.length > 0 ? new Set(first?.ids?.split(',') ?? []) : null,
    isParentMissing: first?.is_parent_missing ?? false,
  };
}

/** Parameters of the insert: shared values, and one array per column for the values of the rows. */
type InsertValues = SharedColumns & {
  readonly ids: readonly string[];
  readonly payloads: readonly (string | null)[];
  readonly dueAts: readonly (string | null)[];
  readonly dedupeKeys: readonly (string | null)[];
  readonly concurrencyKeys: readonly (string | null)[];
  readonly priorities: readonly (number | null)[];
  readonly traceIds: readonly (string | null)[];
  readonly now: string | null;
  readonly wantsIds: boolean;
};

type InsertStatement = {
  readonly text: string;
  readonly valuesOf: (values: InsertValues) => unknown[];
};

const statements = new Map<string, InsertStatement>();

function insertStatement(sql: Sql): InsertStatement {
  const cachedStatement = statements.get(sql.channel);
  if (cachedStatement !== undefined) return cachedStatement;
  const { name, valuesOf } = nameParameters<InsertValues>();
  const text = markPrepared('insert', buildInsertText(sql.schema, channelLiteral(sql), name));
  const made = { text, valuesOf };
  statements.set(sql.channel, made);
  return made;
}

const buildInsertText = (schema: string, channel: string, p: Parameters<InsertValues>['name']) => `
with moment as (select coalesce(${p('now')}::timestamptz, now()) as t),
parent as (
  select ${p('parentId')}::uuid is null
    or exists (select from ${schema}.job where id = ${p('parentId')}::uuid) as is_there
),
inserted as (
  insert into ${schema}.job (id, trace_id, spawned_by, parent_id, batch_id, created_at, due_at, state, kind,
    concurrency_limit, priority, attempts_max, runs_after_any, dedupe_ends_at_start, name, queue, concurrency_key,
    dedupe_key, schedule_key, payload, metadata)
  select i.id, coalesce(i.trace_id, i.id), ${p('spawnedBy')}::uuid, ${p('parentId')}::uuid, ${p('batchId')}::uuid,
    m.t, d.due_at,
    case when ${p('kind')}::${schema}.job_kind <> 'Job' then 'Processing'
      when ${p('parentId')}::uuid is not null then 'AwaitingParent'
      when d.due_at > m.t then 'Scheduled' else 'Enqueued' end::${schema}.job_state,
    ${p('kind')}::${schema}.job_kind,
    case when i.concurrency_key is null then null else ${p('concurrencyLimit')}::integer end,
    coalesce(i.priority, ${p('priority')}::smallint), ${p('attemptsMax')}::smallint, ${p('runsAfterAny')}::boolean,
    ${p('dedupeEndsAtStart')}::boolean, ${p('name')}, ${p('queue')}, i.concurrency_key, i.dedupe_key,
    ${p('scheduleKey')}, i.payload, ${p('metadata')}::jsonb
  from unnest(${p('ids')}::uuid[], ${p('payloads')}::jsonb[], ${p('dueAts')}::timestamptz[],
      ${p('dedupeKeys')}::text[], ${p('concurrencyKeys')}::text[], ${p('priorities')}::smallint[],
      ${p('traceIds')}::uuid[])
    as i (id, payload, due_at, dedupe_key, concurrency_key, priority, trace_id)
  cross join moment m
  cross join parent p
  cross join lateral (
    select coalesce(i.due_at, m.t + coalesce(${p('delayMs')}::float8, 0) * interval '1 millisecond') as due_at
  ) d
  where p.is_there
  on conflict (dedupe_key) where dedupe_key is not null do nothing
  returning id, state
),
hinted as (
  select ${sendHint(
    channel,
    `case state when 'Enqueued' then ${hintPayload.jobsReady(p('queue'))}
      when 'AwaitingParent' then ${hintPayload.groupsChanged} else ${hintPayload.jobScheduled} end`,
  )}
  from (select distinct state from inserted where state <> 'Processing') s
)
select (select count(*)::int from hinted) as hints, (select not is_there from parent) as is_parent_missing,
  case when ${p('wantsIds')}::boolean then (select string_agg(id::text, ',') from inserted) end as ids`;

/** Returns the ids of the jobs that use the dedupe keys, by key. */
export async function findByDedupeKey(
  sql: Sql,
  executor: Executor,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await executor.query(
    `select dedupe_key, id::text as id from ${sql.schema}.job where dedupe_key = any($1::text[])`,
    [keys],
  );
  return new Map((rows as { dedupe_key: string; id: string }[]).map((row) => [row.dedupe_key, row.id]));
}
