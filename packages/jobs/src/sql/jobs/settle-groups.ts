import { hintPayload, sendHint } from '../hints.ts';
import { type Sql, statement } from '../statement.ts';
import type { Retention } from './end-attempts.ts';

/** Maximum number of rows that one pass changes. */
export const settledMax = 500;

const endGroupsStatement = statement(
  'end_groups',
  (schema) => `
with over as (
  select b.id from ${schema}.job b
  where b.state = 'Processing' and b.kind in ('Message', 'Batch') and not exists (
    select from ${schema}.job m where m.batch_id = b.id and m.state not in ('Completed', 'Failed', 'Cancelled')
  )
  order by b.id limit ${settledMax} for update skip locked
),
judged as (
  select o.id, case
    when not exists (select from ${schema}.job m where m.batch_id = o.id and m.state <> 'Completed') then 'Completed'
    when exists (select from ${schema}.job m where m.batch_id = o.id and m.state = 'Failed') then 'Failed'
    else 'Cancelled' end::${schema}.job_state as state
  from over o
),
ended as (
  update ${schema}.job b set state = j.state, finished_at = m.t,
    expire_at = m.t + case j.state when 'Completed' then $1::float8 when 'Cancelled' then $2::float8
      when 'Failed' then $3::float8 end * interval '1 millisecond'
  from judged j, (select coalesce($4::timestamptz, now()) as t) m where b.id = j.id
  returning b.id, b.state, m.t
)
insert into ${schema}.job_log (job_id, at, event) select id, t, state::text from ended returning job_id`,
);

/**
 * Ends batches and messages whose members have all ended: `Completed` when all members completed, `Failed` when at
 * least one failed, else `Cancelled`. Any number of processes may run it at any time.
 *
 * @returns the number of ended groups.
 */
export async function endGroups(sql: Sql, retention: Retention): Promise<number> {
  const values = [retention.completedMs, retention.cancelledMs, retention.failedMs, sql.now()];
  return (await sql.db.run(endGroupsStatement(sql), values)).length;
}

// A continuation that requires success continues to wait when its parent failed: the parent may be requeued.
const releaseContinuationsStatement = statement(
  'release_continuations',
  (schema, channel) => `
with decided as (
  select c.id, case when p.state = 'Completed' or c.runs_after_any then 'Enqueued' else 'Cancelled' end as verdict
  from ${schema}.job c left join ${schema}.job p on p.id = c.parent_id
  where c.state = 'AwaitingParent' and (p.id is null or p.state in ('Completed', 'Cancelled')
    or p.state = 'Failed' and c.runs_after_any)
  order by c.id limit ${settledMax} for update of c skip locked
),
changed as (
  update ${schema}.job c set
    state = case when d.verdict = 'Cancelled' then 'Cancelled' when c.due_at > m.t then 'Scheduled'
      else 'Enqueued' end::${schema}.job_state,
    finished_at = case when d.verdict = 'Cancelled' then m.t end,
    dedupe_key = case when d.verdict = 'Cancelled' then null else c.dedupe_key end,
    expire_at = case when d.verdict = 'Cancelled' then m.t + $1::float8 * interval '1 millisecond' end
  from decided d, (select coalesce($2::timestamptz, now()) as t) m where c.id = d.id
  returning c.id, c.state, c.queue, c.name, m.t
),
logged as (
  insert into ${schema}.job_log (job_id, at, event, message)
  select id, t, state::text, case when state = 'Cancelled' then 'What it waited for did not complete.' end from changed
),
counted as (
  insert into ${schema}.job_counter (at, name, cancelled)
  select max(t), name, count(*) from changed where state = 'Cancelled' group by name
),
hinted as (
  select ${sendHint(channel, hintPayload.jobsReady('queue'))} from (select distinct queue from changed where state = 'Enqueued') q
)
select (select count(*)::int from changed) as changed, (select count(*)::int from hinted) as hints`,
);

/**
 * Releases or cancels continuations whose parent has ended. Any number of processes may run it at any time.
 *
 * @returns the number of changed continuations.
 */
export async function releaseContinuations(sql: Sql, retention: Retention): Promise<number> {
  const [row] = await sql.db.run<{ changed: number }>(releaseContinuationsStatement(sql), [
    retention.cancelledMs,
    sql.now(),
  ]);
  return row?.changed ?? 0;
}
