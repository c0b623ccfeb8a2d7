import type { FinalState } from '../../states.ts';
import { type Sql, statement } from '../statement.ts';

/** Retention of ended jobs per state; null means without limit. */
export type Retention = {
  readonly completedMs: number | null;
  readonly cancelledMs: number | null;
  readonly failedMs: number | null;
};

/** Result of an attempt, to be recorded. */
export type AttemptEnd = {
  readonly id: string;
  readonly fence: number;
  readonly state: FinalState | 'AwaitingRetry';
  readonly durationMs: number;
  /** Delay before the next attempt. */
  readonly delayMs: number | null;
  readonly error: string | null;
};

/** Result of a recording. */
export type RecordedEnds = {
  /** Jobs whose end was recorded. The other jobs belong to another run. */
  readonly recordedIds: ReadonlySet<string>;
  /** True when a continuation, a batch or a message may wait for one of the jobs. */
  readonly isAwaited: boolean;
};

// No history row is written for a completion: the job's row is the last entry. A requeue copies it into the history.
// See `packages/jobs/schema/functions/complete_attempts.sql` for the statement.
const complete = statement(
  'complete',
  (schema) => `
select completed, is_awaited, ids
from ${schema}.complete_attempts($1::uuid[], $2::integer[], $3::integer[], $4::float8, $5::timestamptz)`,
);

/** Returns a PostgreSQL array literal of ids or numbers, which need no quotes. */
const arrayOf = (ends: readonly AttemptEnd[], value: (end: AttemptEnd) => string | number): string =>
  `{${ends.map(value).join(',')}}`;

/** Completes jobs. The response lists ids only when some claims were no longer current. */
async function completeAttempts(
  sql: Sql,
  ends: readonly AttemptEnd[],
  retention: Retention,
): Promise<RecordedEnds> {
  const [row] = await sql.db.run<{ completed: number; is_awaited: boolean; ids: string[] | null }>(
    complete(sql),
    [
      arrayOf(ends, (item) => item.id),
      arrayOf(ends, (item) => item.fence),
      arrayOf(ends, (item) => Math.round(item.durationMs)),
      retention.completedMs,
      sql.now(),
    ],
  );
  const isAll = row?.completed === ends.length;
  const ids = new Set(isAll ? ends.map((item) => item.id) : row?.ids);
  return { recordedIds: ids, isAwaited: row?.is_awaited ?? false };
}

// Not prepared: a cached plan might retain the join that suits an empty table.
const end = statement(
  'end',
  (schema) => `
with done as (
  update ${schema}.job j set state = i.state, lease_until = null, error = i.error,
    finished_at = case when i.state = 'AwaitingRetry' then null else m.t end,
    due_at = case when i.state = 'AwaitingRetry' then m.t + i.delay_ms * interval '1 millisecond' else j.due_at end,
    expire_at = m.t + case i.state when 'Completed' then $7::float8 when 'Cancelled' then $8::float8
      when 'Failed' then $9::float8 end * interval '1 millisecond',
    dedupe_key = case when i.state = 'AwaitingRetry' then j.dedupe_key end,
    started_at = m.t - i.duration_ms * interval '1 millisecond'
  from unnest($1::uuid[], $2::integer[], $3::${schema}.job_state[], $4::integer[], $5::float8[], $6::text[])
      as i (id, fence, state, duration_ms, delay_ms, error),
    (select coalesce($10::timestamptz, now()) as t) m
  where j.id = i.id and j.fence = i.fence and j.state = 'Processing'
  returning j.id, j.name, j.attempt, j.worker_id, j.batch_id, j.state, m.t, i.duration_ms, i.error
),
logged as (
  insert into ${schema}.job_log (job_id, worker_id, at, duration_ms, attempt, event, error)
  select id, worker_id, t, duration_ms, attempt, state::text, error from done where state <> 'Completed'
),
counted as (
  insert into ${schema}.job_counter (at, name, completed, failed, cancelled, retried, duration_ms)
  select max(t), name, count(*) filter (where state = 'Completed'), count(*) filter (where state = 'Failed'),
    count(*) filter (where state = 'Cancelled'), count(*) filter (where state = 'AwaitingRetry'), sum(duration_ms)
  from done group by name
)
select id, batch_id is not null or exists (select from ${schema}.job where state = 'AwaitingParent') as is_awaited
from done`,
  { isPrepared: false },
);

/**
 * Records ends of attempts in one statement. A row changes only while its fencing token equals the claim's. A job that
 * another run has claimed does not change and is missing from the result.
 */
export async function endAttempts(
  sql: Sql,
  ends: readonly AttemptEnd[],
  retention: Retention,
): Promise<RecordedEnds> {
  if (ends.every((item) => item.state === 'Completed')) return completeAttempts(sql, ends, retention);
  const rows = await sql.db.run<{ id: string; is_awaited: boolean }>(end(sql), [
    ends.map((item) => item.id),
    ends.map((item) => item.fence),
    ends.map((item) => item.state),
    ends.map((item) => Math.round(item.durationMs)),
    ends.map((item) => item.delayMs),
    ends.map((item) => item.error),
    retention.completedMs,
    retention.cancelledMs,
    retention.failedMs,
    sql.now(),
  ]);
  return { recordedIds: new Set(rows.map((row) => row.id)), isAwaited: rows.some((row) => row.is_awaited) };
}
