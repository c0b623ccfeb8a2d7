import type { RunKey } from '../../../gateways/send/index.ts';
import type { Executor } from '../../../platform/db/index.ts';

/** Locks and returns the other runs of a subscription with a held message. */
export async function heldRuns(
  executor: Executor,
  subscriptionId: number,
  exceptId: number,
): Promise<RunKey[]> {
  const { rows } = await executor.query<RunKey>({
    name: 'runs-held',
    text: `select id, due_at as "dueAt" from svc.runs
      where subscription_id = $1 and held_until is not null and status = 'Created' and id <> $2 for update`,
    values: [subscriptionId, exceptId],
  });
  return rows;
}
