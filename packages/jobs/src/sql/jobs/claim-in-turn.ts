import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';
import { type ClaimedJob, type ClaimOptions, claimedColumns, inClaimOrder } from './claim-jobs.ts';

// See `packages/jobs/schema/functions/claim_at_rate.sql` for the statement.
const claim = statement(
  'claim_at_rate',
  (schema) => `
select ${claimedColumns}
from ${schema}.claim_at_rate($1, $2::text[], $3, $4, $5::uuid, $6::timestamptz, $7, $8::text[], $9::integer[],
  $10::float8[]) j`,
  { answerTimeoutMs: urgentTimeoutMs },
);

export type ClaimInTurnOptions = ClaimOptions & {
  /** Maximum number of the queue's running jobs across all processes; null without a limit. */
  readonly queueLimit: number | null;
  readonly rates: readonly StartRate[];
};

/** Rate limit of a job name: maximum number of starts per key and interval. */
export type StartRate = { readonly name: string; readonly limit: number; readonly intervalMs: number };

/**
 * Claims jobs that share a limit with other processes: jobs with a concurrency key, and all jobs of a queue with a
 * limit. Only one process at a time executes such a claim.
 */
export async function claimInTurn(sql: Sql, options: ClaimInTurnOptions): Promise<ClaimedJob[]> {
  const rows = await sql.db.run<ClaimedJob>(claim(sql), [
    options.queue,
    options.names,
    options.count,
    options.leaseMs,
    options.workerId,
    sql.now(),
    options.queueLimit,
    options.rates.map((rate) => rate.name),
    options.rates.map((rate) => rate.limit),
    options.rates.map((rate) => rate.intervalMs),
  ]);
  return inClaimOrder(rows);
}
