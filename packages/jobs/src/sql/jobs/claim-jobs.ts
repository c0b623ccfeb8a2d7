import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';

/** Job as claimed by a worker. */
export type ClaimedJob = {
  readonly id: string;
  readonly name: string;
  readonly fence: number;
  readonly attempt: number;
  readonly attempts_max: number;
  readonly trace_id: string;
  readonly spawned_by: string | null;
  readonly batch_id: string | null;
  readonly schedule_key: string | null;
  /** Start of the next attempt, in ms since 1970 by PostgreSQL's clock. Used only to order claims. */
  readonly due_ms: number;
  /** Time for which a schedule created the job, in the same unit; null for a job that no schedule created. */
  readonly slot_ms: number | null;
  readonly priority: number;
  readonly payload: unknown;
  readonly metadata: Record<string, unknown> | null;
  /** True when the job has a concurrency key. Then other jobs may wait for its end. */
  readonly is_limited: boolean;
};

export type ClaimOptions = {
  readonly queue: string;
  /** Job names with a handler in this process. */
  readonly names: readonly string[];
  readonly count: number;
  readonly leaseMs: number;
  readonly workerId: string;
};

/** Columns of a claimed job, from a table aliased `j`. `date_part` returns a float directly, unlike `extract`. */
export const claimedColumns = `j.id, j.name, j.fence, j.attempt, j.attempts_max, j.trace_id, j.spawned_by, j.batch_id,
  j.schedule_key, date_part('epoch', j.due_at) * 1000 as due_ms, date_part('epoch', j.slot_at) * 1000 as slot_ms, j.priority, j.payload, j.metadata,
  j.concurrency_key is not null as is_limited`;

/** Sorts claimed jobs in the order of the claim: an update returns its rows in the order of its plan. */
export function inClaimOrder(rows: ClaimedJob[]): ClaimedJob[] {
  return rows.sort(
    (a, b) => b.priority - a.priority || a.due_ms - b.due_ms || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
}

/**
 * Claims the next jobs of one queue. Skips rows locked by other processes instead of waiting. With one queue per claim,
 * the index is read in the order of the claim and no further than necessary.
 *
 * See `packages/jobs/schema/functions/claim_next.sql` for the statement. It is a function, so its plan is cached and
 * does not depend on the state of the table at planning time.
 */
const claim = statement(
  'claim',
  (schema) => `
select *, false as is_limited from ${schema}.claim_next($1, $2::text[], $3, $4, $5::uuid, $6::timestamptz)`,
  { answerTimeoutMs: urgentTimeoutMs },
);

/** Claims up to `count` jobs without a concurrency key. */
export async function claimJobs(sql: Sql, options: ClaimOptions): Promise<ClaimedJob[]> {
  const rows = await sql.db.run<ClaimedJob>(claim(sql), [
    options.queue,
    options.names,
    options.count,
    options.leaseMs,
    options.workerId,
    sql.now(),
  ]);
  return inClaimOrder(rows);
}
