import { type ClaimedJob, type ClaimOptions, claimedColumns, inClaimOrder } from './claim-jobs.ts';
import { type Sql, statement } from './statement.ts';

const claim = statement(
  'claim_in_turn',
  (schema) => `
select ${claimedColumns}
from ${schema}.claim_in_turn($1, $2::text[], $3, $4, $5::uuid, $6::timestamptz, $7) j`,
);

export type ClaimInTurnOptions = ClaimOptions & {
  /** How many jobs of the queue may run in all processes together; null without a limit. */
  readonly queueLimit: number | null;
};

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
  ]);
  return inClaimOrder(rows);
}
