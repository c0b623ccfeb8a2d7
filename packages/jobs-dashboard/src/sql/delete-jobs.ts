import type { Executor } from '@svc/jobs';
import type { Db } from '../db.ts';

/** Result of a deletion. */
export type DeleteOutcome = 'Deleted' | 'NotPossible' | 'NotFound';

/**
 * Removes ended jobs with their history. Does not remove unfinished jobs or members of a running batch, whose result
 * depends on all members. The pass after the hint cancels continuations of a removed job, as after its expiry.
 */
export async function deleteJobs(
  db: Db,
  executor: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeleteOutcome>> {
  const { schema } = db;
  const { rows } = await executor.query(
    `with locked as (
  select j.id, j.state, j.batch_id from ${schema}.job j where j.id = any($1::uuid[]) order by j.id for update
),
gone as (
  delete from ${schema}.job j using locked l
  where j.id = l.id and l.state in ('Completed', 'Failed', 'Cancelled') and not exists (
    select from ${schema}.job b where b.id = l.batch_id and b.state = 'Processing'
  )
  returning j.id
),
lines as (delete from ${schema}.job_log l using gone where l.job_id = gone.id),
hinted as (select pg_notify($2, 'p') from (select from gone limit 1) g)
select w.id::text as id, (select count(*)::int from hinted) as hints,
  case when l.id is null then 'NotFound' when g.id is null then 'NotPossible' else 'Deleted' end as outcome
from unnest($1::uuid[]) as w (id) left join locked l on l.id = w.id left join gone g on g.id = w.id`,
    [ids, db.channel],
  );
  return new Map((rows as { id: string; outcome: DeleteOutcome }[]).map((row) => [row.id, row.outcome]));
}
