import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';
import { type ClaimedJob, type ClaimOptions, claimedColumns, inClaimOrder } from './claim-jobs.ts';

// The statement itself is `packages/jobs/schema/functions/claim_at_rate.sql`.
const claim = statement(
  'claim_at_rate',
  (schema) => `
select ${claimedColumns}
from ${schema}.claim_at_rate($1, $2::text[], $3, $4, $5::uuid, $6::timestamptz, $7, $8::text[], $9::integer[],
  $10::float8[]) j`,
  { answerTimeoutMs: urgentTimeoutMs },
);

export type ClaimInTurnOptions = ClaimOptions & {
  /** How many jobs of the queue may run in all processes together; null without a limit. */
  readonly queueLimit: number | null;
  readonly rates: readonly StartRate[];
};

/** Jobs of a name of which only so many may start for one key within an interval. */
export type StartRate = { readonly name: string; readonly limit: number; readonly intervalMs: number };

/**
 * Claims jobs that share a limit with what runs in other processes: those with a concurrency key, and in a queue with
 * a limit of its own all jobs. Processes take turns.
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
