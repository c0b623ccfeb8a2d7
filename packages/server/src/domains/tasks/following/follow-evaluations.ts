import type { Tx } from '../../../platform/db/index.ts';
import { lockOpenTask } from '../action-store.ts';
import { readStreak } from './contract-store.ts';
import { decideContractTask } from './decide.ts';
import { createTaskSteps, type StepsDeps } from './steps.ts';

/** Updates the task of a data contract after an evaluation that judged it, in the transaction of its end. */
export type FollowEvaluation = (
  tx: Tx,
  evaluated: {
    readonly contract: {
      readonly id: number;
      readonly createTasks: boolean;
      readonly alertsOnWarning: boolean;
      readonly alert: { readonly recoverRuns: number } | null;
    };
    readonly outcome: 'Passed' | 'Warned' | 'Failed';
    readonly isScheduled: boolean;
    /** Run that reports the evaluation; null: no notification. */
    readonly runId: number | null;
    /** Number of rules that did not pass. */
    readonly brokenCount: number;
  },
) => Promise<void>;

export function createFollowEvaluation(deps: StepsDeps): FollowEvaluation {
  const take = createTaskSteps(deps);
  return async (tx, { contract, outcome, isScheduled, runId, brokenCount }) => {
    const subject = { kind: 'Contract', id: contract.id } as const;
    const task = await lockOpenTask(tx, subject);
    if (!task && !contract.createTasks) return;
    const recoverRuns = contract.alert?.recoverRuns ?? 1;
    const decision = decideContractTask({
      ...contract,
      outcome,
      isScheduled,
      recoverRuns,
      isOpen: task !== undefined,
      goodRuns: task ? await readStreak(tx, contract, recoverRuns) : 0,
    });
    await take(tx, decision, task, { subject, runId, count: brokenCount });
  };
}
