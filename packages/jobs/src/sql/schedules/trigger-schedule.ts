import type { Executor } from '../../client/executor.ts';
import { hintPayload, sendHint } from '../hints.ts';
import { channelLiteral, type Sql } from '../statement.ts';

/** Enqueues the job of a schedule immediately, without a change to the schedule. Returns false when it does not exist. */
export async function triggerSchedule(
  sql: Sql,
  executor: Executor,
  key: string,
  jobId: string,
): Promise<boolean> {
  const { rows } = await executor.query(
    `with fired as (
  insert into ${sql.schema}.job (id, trace_id, created_at, due_at, state, concurrency_limit, priority, attempts_max,
    name, queue, concurrency_key, schedule_key, slot_at, payload, metadata)
  select $2::uuid, $2::uuid, m.t, m.t, 'Enqueued', s.concurrency_limit, s.priority, s.attempts_max, s.job_name, s.queue,
    s.concurrency_key, s.key, date_trunc('milliseconds', m.t), s.payload, s.metadata
  from ${sql.schema}.schedule s, (select coalesce($3::timestamptz, now()) as t) m where s.key = $1
  returning queue
)
select ${sendHint(channelLiteral(sql), hintPayload.jobsReady('queue'))} is null as was_hinted from fired`,
    [key, jobId, sql.now()?.toISOString() ?? null],
  );
  return rows.length > 0;
}
