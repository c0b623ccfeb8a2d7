import { hintPayload, sendHint } from '../hints.ts';
import { type Sql, statement, urgentTimeoutMs } from '../statement.ts';

/** Claim: a job id and the fencing token of the claim. */
export type Claim = { readonly id: string; readonly fence: number };

/** Result of the renewal of one claim. */
export type RenewedClaim = {
  readonly id: string;
  readonly fence: number;
  readonly is_current: boolean;
  readonly is_cancel_requested: boolean;
};

// Locked rows are skipped: another statement of this process may be ending these jobs, in another order.
const renew = statement(
  'renew',
  (schema) => `
with held as (
  select j.id from unnest($1::uuid[], $2::integer[]) as i (id, fence)
  join ${schema}.job j on j.id = i.id and j.fence = i.fence and j.state = 'Processing'
  for update of j skip locked
),
renewed as (
  update ${schema}.job j
  set lease_until = coalesce($4::timestamptz, now()) + $3::float8 * interval '1 millisecond'
  from held where j.id = held.id
)
select i.id, i.fence, coalesce(j.fence = i.fence and j.state = 'Processing', false) as is_current,
  j.cancel_requested_at is not null as is_cancel_requested
from unnest($1::uuid[], $2::integer[]) as i (id, fence) left join ${schema}.job j on j.id = i.id`,
  { isPrepared: false, answerTimeoutMs: urgentTimeoutMs },
);

/** Extends the leases of running jobs. Returns for each claim whether it is current and whether a cancellation is requested. */
export function renewLeases(sql: Sql, claims: readonly Claim[], leaseMs: number): Promise<RenewedClaim[]> {
  return sql.db.run<RenewedClaim>(renew(sql), [
    claims.map((claim) => claim.id),
    claims.map((claim) => claim.fence),
    leaseMs,
    sql.now(),
  ]);
}

const release = statement(
  'release',
  (schema, channel) => `
with released as (
  update ${schema}.job j set state = 'Enqueued', lease_until = null, attempt = j.attempt - 1, started_at = null
  from unnest($1::uuid[], $2::integer[]) as i (id, fence)
  where j.id = i.id and j.fence = i.fence and j.state = 'Processing'
  returning j.queue
)
select ${sendHint(channel, hintPayload.jobsReady('queue'))} from (select distinct queue from released) r`,
  { isPrepared: false },
);

/** Releases unfinished jobs: they wait again, and the attempt does not count. */
export async function releaseJobs(sql: Sql, claims: readonly Claim[]): Promise<void> {
  await sql.db.run(release(sql), [claims.map((claim) => claim.id), claims.map((claim) => claim.fence)]);
}

const sweep = statement(
  'sweep',
  (schema, channel) => `
with stale as (
  select id, lease_until from ${schema}.job
  where state = 'Processing' and lease_until < coalesce($1::timestamptz, now())
  order by id limit 1000 for update skip locked
),
recovered as (
  update ${schema}.job j set
    state = case when j.cancel_requested_at is not null then 'Cancelled'
      when j.recoveries >= $2 then 'Failed' else 'Enqueued' end::${schema}.job_state,
    recoveries = j.recoveries + 1, attempt = j.attempt - 1, lease_until = null,
    finished_at = case when j.recoveries >= $2 or j.cancel_requested_at is not null
      then coalesce($1::timestamptz, now()) end,
    dedupe_key = case when j.recoveries >= $2 or j.cancel_requested_at is not null then null else j.dedupe_key end,
    error = case when j.recoveries >= $2 then 'Its worker was lost too often.' else j.error end,
    expire_at = coalesce($1::timestamptz, now()) + case when j.cancel_requested_at is not null then $3::float8
      when j.recoveries >= $2 then $4::float8 end * interval '1 millisecond'
  from stale where j.id = stale.id
  returning j.id, j.queue, j.state, j.batch_id, j.worker_id, j.attempt, j.started_at
),
logged as (
  insert into ${schema}.job_log (job_id, worker_id, at, duration_ms, attempt, event, message)
  select id, worker_id, coalesce($1::timestamptz, now()),
    least(greatest(extract(epoch from coalesce($1::timestamptz, now()) - started_at) * 1000, 0), 2147483647)::integer,
    attempt + 1, case state when 'Enqueued' then 'Recovered' else state::text end, 'The lease of its worker ran out.'
  from recovered
),
hinted as (
  select ${sendHint(channel, hintPayload.jobsReady('queue'))}
  from (select distinct queue from recovered where state = 'Enqueued') r
)
select id, state::text as state, batch_id, (select count(*) from hinted) > 0 as is_hinted from recovered`,
  { isPrepared: false, answerTimeoutMs: urgentTimeoutMs },
);

/** Job of a lost worker, with its new state. */
export type RecoveredJob = { readonly id: string; readonly state: string; readonly batch_id: string | null };

/**
 * Makes jobs with an expired lease ready again. This uses up no attempt. A job with more than `recoveriesMax` lost
 * workers fails; a job whose cancellation was requested is cancelled.
 */
export function sweepLeases(
  sql: Sql,
  options: { recoveriesMax: number; cancelledMs: number | null; failedMs: number | null },
): Promise<RecoveredJob[]> {
  return sql.db.run<RecoveredJob>(sweep(sql), [
    sql.now(),
    options.recoveriesMax,
    options.cancelledMs,
    options.failedMs,
  ]);
}

const current = statement(
  'current',
  (schema) => `
select from ${schema}.job
where id = $1 and fence = $2 and state = 'Processing' and lease_until > coalesce($3::timestamptz, now())`,
);

/** Returns true while the claim is current and its lease has not expired. */
export async function isClaimCurrent(sql: Sql, claim: Claim): Promise<boolean> {
  return (await sql.db.run(current(sql), [claim.id, claim.fence, sql.now()])).length > 0;
}
