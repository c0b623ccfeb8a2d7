import type { Tx } from '../../../platform/db/index.ts';
import { findTaskRules, hasLaterRun, lockOpenTask } from '../act-store.ts';
import { decideTask } from './decide.ts';
import { createTaskSteps, type StepsDeps } from './steps.ts';

/** Brings the task of a subscription up to date with what a run found, in the transaction that ends the run. */
export type FollowRows = (
  tx: Tx,
  found: {
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
    // Asked behind the lock: a later run that ended while this one waited has said what holds.
    if (await hasLaterRun(tx, subscriptionId, dueAt)) return;
    const decision = decideTask({ ...rules, resultCount, isOpen: task !== undefined });
    await take(tx, decision, task, { subject, runId, count: resultCount });
  };
}
