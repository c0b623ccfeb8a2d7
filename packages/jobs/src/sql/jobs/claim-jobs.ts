import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';

/** A job as its worker gets it. */
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
  /** Start of the next attempt, in milliseconds since 1970 by PostgreSQL's clock. Orders claims and nothing else. */
  readonly due_ms: number;
  /** Time for which a schedule made the job, in the same unit; null for a job that no schedule made. */
  readonly slot_ms: number | null;
  readonly priority: number;
  readonly payload: unknown;
  readonly metadata: Record<string, unknown> | null;
  /** Whether it has a concurrency key: then others may wait for its end. */
  readonly is_limited: boolean;
};

export type ClaimOptions = {
  readonly queue: string;
  /** Names that this process has a handler for. */
  readonly names: readonly string[];
  readonly count: number;
  readonly leaseMs: number;
  readonly workerId: string;
};

/** The columns of a claimed job, from a table aliased `j`. `date_part` is a float at once, unlike `extract`. */
export const claimedColumns = `j.id, j.name, j.fence, j.attempt, j.attempts_max, j.trace_id, j.spawned_by, j.batch_id,
  j.schedule_key, date_part('epoch', j.due_at) * 1000 as due_ms, date_part('epoch', j.slot_at) * 1000 as slot_ms, j.priority, j.payload, j.metadata,
  j.concurrency_key is not null as is_limited`;

/** Puts claimed jobs in the order of the claim: an update returns its rows in the order of its plan. */
export function inClaimOrder(rows: ClaimedJob[]): ClaimedJob[] {
  return rows.sort(
    (a, b) => b.priority - a.priority || a.due_ms - b.due_ms || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
}

/**
 * Takes the next jobs of one queue. Rows that another process is taking are skipped, never waited for. One queue
 * each time: then the index is read in the order of the claim and no further than needed. The statement itself is
 * `packages/jobs/schema/functions/claim_next.sql`: a function, so that its plan is kept and does not depend on how the
 * table looked when it was made.
 */
const claim = statement(
  'claim',
  (schema) => `
select *, false as is_limited from ${schema}.claim_next($1, $2::text[], $3, $4, $5::uuid, $6::timestamptz)`,
  { answerTimeoutMs: urgentTimeoutMs },
);

/** Claims up to `count` jobs that have no concurrency key. */
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
