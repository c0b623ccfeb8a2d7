import type { Tx } from '../../../platform/db/index.ts';
import { findTaskRules, hasLaterRun, lockOpenTask } from '../action-store.ts';
import { decideTask } from './decide.ts';
import { createTaskSteps, type StepsDeps } from './steps.ts';

/** Updates the task of a subscription with the result of a run, in the transaction that ends the run. */
export type FollowRows = (
  tx: Tx,
  result: {
    readonly runId: number;
    readonly subscriptionId: number;
    readonly dueAt: Date;
    readonly resultCount: number;
  },
) => Promise<void>;

export function createFollowRows(deps: StepsDeps): FollowRows {
  const take = createTaskSteps(deps);
  return async (tx, { runId, subscriptionId, dueAt, resultCount }) => {
    const rules = await findTaskRules(tx, subscriptionId);
    if (!rules) return;
    const subject = { kind: 'Subscription', id: subscriptionId } as const;
    const task = await lockOpenTask(tx, subject);
    // Checked after the lock: a later run that ended in the meantime has the current result.
    if (await hasLaterRun(tx, subscriptionId, dueAt)) return;
    const decision = decideTask({ ...rules, resultCount, isOpen: task !== undefined });
    await take(tx, decision, task, { subject, runId, count: resultCount });
  };
}
