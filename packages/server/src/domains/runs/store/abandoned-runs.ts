import type { RunKey } from '../../../gateways/send/index.ts';
import type { Executor } from '../../../platform/db/index.ts';

/** Returns runs whose job is over without having ended them, at most 1000. */
export async function abandonedRuns(executor: Executor, olderThanSeconds: number): Promise<RunKey[]> {
  const { rows } = await executor.query<{ id: number; dueAt: Date }>(
    `select r.id, r.due_at as "dueAt" from svc.runs r
     where r.status = 'Created' and (r.held_until is null or r.held_until < now() - $1 * interval '1 second')
       and r.created_time < now() - $1 * interval '1 second'
       and not exists (select from svc_jobs.job j where j.id = r.job_id and j.state not in ('Completed', 'Failed', 'Cancelled'))
     limit 1000`,
    [olderThanSeconds],
  );
  return rows;
}
