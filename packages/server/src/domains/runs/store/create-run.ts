import type { RunStatus } from '@svc/contract';
import type { RunKey } from '../../../gateways/send/index.ts';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import { runUnderWay } from '../../missed-runs/index.ts';

export type SlotRun = { readonly id: number; readonly status: RunStatus };

/**
 * Creates the run of a slot, or returns the existing one. A slot has one run, regardless of the number of processes and
 * attempts. Returns undefined if the slot must have no run. Reasons: the previous run was in progress, or the
 * subscription is archived, paused or deleted.
 *
 * @param dueAt  The slot.
 */
export async function ensureScheduledRun(
  executor: Executor,
  subscriptionId: number,
  dueAt: Date,
  job: { id: string; traceId: string },
): Promise<SlotRun | undefined> {
  const { rows } = await executor.query<SlotRun>({
    name: 'runs-ensure-scheduled',
    text: `with made as (
        insert into svc.runs (subscription_id, query_id, project_id, data_source_ids, origin, due_at, job_id, trace_id)
        select s.id, s.query_id, q.project_id, '{}', 'Schedule', $2, $3, $4
        from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1 and s.archived_at is null
          and s.paused_at is null
          and not exists (select from svc.skipped_slots k where k.subscription_id = $1 and k.slot_at = $2)
          and (s.overlap = 'Queue' or not exists (${runUnderWay('$1', '$2')}))
        on conflict (subscription_id, due_at) where origin = 'Schedule' and subscription_id is not null do nothing
        returning id, status)
      select id, status from made
      union all
      select id, status from svc.runs where subscription_id = $1 and due_at = $2 and origin = 'Schedule'
      limit 1`,
    values: [subscriptionId, dueAt, job.id, job.traceId],
  });
  return rows[0];
}

export async function insertTestRun(
  tx: Tx,
  run: {
    readonly subscriptionId: number;
    readonly queryId: number;
    readonly userId: number | null;
    readonly traceId: string;
    /** Request that started the run. */
    readonly request: { readonly method: string; readonly route: string } | null;
  },
): Promise<RunKey> {
  const { rows } = await tx.query<{ id: number; dueAt: Date }>(
    `insert into svc.runs (subscription_id, query_id, project_id, data_source_ids, origin, due_at, started_by_user_id, trace_id, request)
     select $1, q.id, q.project_id, '{}', 'Test', date_trunc('milliseconds', now()), $3, $4, $5 from svc.queries q where q.id = $2
     returning id, due_at as "dueAt"`,
    [run.subscriptionId, run.queryId, run.userId, run.traceId, run.request && JSON.stringify(run.request)],
  );
  const [row] = rows;
  if (!row) throw new Error('One run was inserted without an id.');
  return row;
}

export async function setJob(tx: Tx, run: RunKey, jobId: string): Promise<void> {
  await tx.query('update svc.runs set job_id = $3 where id = $1 and due_at = $2', [run.id, run.dueAt, jobId]);
}
