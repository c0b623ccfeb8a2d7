/** Consequence of a run or an evaluation for a task. */
export type TaskDecision = 'Open' | 'Update' | 'Resolve' | 'Nothing';

/**
 * Decides the consequence of a run's rows. Fewer rows than the subscription's minimum count as none. An open task is
 * followed to its end, even if the subscription no longer creates tasks.
 */
export function decideTask(situation: {
  readonly resultCount: number;
  readonly minimumRowCount: number | null;
  readonly createTasks: boolean;
  readonly isOpen: boolean;
}): TaskDecision {
  const hasRows = situation.resultCount >= (situation.minimumRowCount ?? 1);
  if (situation.isOpen) return hasRows ? 'Update' : 'Resolve';
  return hasRows && situation.createTasks ? 'Open' : 'Nothing';
}

/**
 * Decides the consequence of an evaluation:
 * - Only a failed scheduled evaluation opens a task. A manual evaluation alerts no user.
 * - Every evaluation updates an open task.
 * - As many consecutive good evaluations as the alert of the contract requires resolve it.
 *
 * A warning is good unless the contract alerts on warnings. Otherwise it neither opens nor resolves a task.
 */
export function decideContractTask(situation: {
  readonly outcome: 'Passed' | 'Warned' | 'Failed';
  readonly isScheduled: boolean;
  readonly createTasks: boolean;
  readonly isOpen: boolean;
  /** Number of consecutive good evaluations, including this one. */
  readonly goodRuns: number;
  readonly recoverRuns: number;
}): TaskDecision {
  if (situation.isOpen) return situation.goodRuns >= situation.recoverRuns ? 'Resolve' : 'Update';
  return situation.outcome === 'Failed' && situation.isScheduled && situation.createTasks
    ? 'Open'
    : 'Nothing';
}
