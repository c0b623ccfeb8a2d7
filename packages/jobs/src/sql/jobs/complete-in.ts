import type { Executor } from '../../client/executor.ts';
import { hintPayload, sendHint } from '../hints.ts';
import { channelLiteral, type Sql } from '../statement.ts';
import type { Claim } from './leases.ts';

/**
 * Completes a job inside the caller's transaction if the claim is current.
 *
 * @returns false when the claim is not current; nothing was changed.
 */
export async function completeInTransaction(
  sql: Sql,
  executor: Executor,
  claim: Claim,
  options: { durationMs: number; retentionMs: number | null },
): Promise<boolean> {
  const { rows } = await executor.query(
    `with done as (
  update ${sql.schema}.job j set state = 'Completed', finished_at = m.t, lease_until = null, dedupe_key = null,
    error = null, started_at = m.t - $3::integer * interval '1 millisecond',
    expire_at = m.t + $4::float8 * interval '1 millisecond'
  from (select coalesce($5::timestamptz, now()) as t) m
  where j.id = $1::uuid and j.fence = $2::integer and j.state = 'Processing'
  returning j.name, m.t
),
counted as (
  insert into ${sql.schema}.job_counter (at, name, completed, duration_ms) select t, name, 1, $3::integer from done
)
select ${sendHint(channelLiteral(sql), hintPayload.groupsChanged)} is null as was_hinted from done`,
    [
      claim.id,
      claim.fence,
      Math.round(options.durationMs),
      options.retentionMs,
      sql.now()?.toISOString() ?? null,
    ],
  );
  return rows.length > 0;
}
