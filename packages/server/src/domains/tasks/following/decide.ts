/** Consequence of a run or an evaluation for a task. */
export type TaskDecision = 'Open' | 'Update' | 'Resolve' | 'Nothing';

/**
 * Decides the consequence of a run's rows. Fewer rows than the subscription's minimum count as none. An open task is
 * followed to its end, even if the subscription no longer creates tasks.
 */
export function decideTask(found: {
  readonly resultCount: number;
  readonly minimumRowCount: number | null;
  readonly createTasks: boolean;
  readonly isOpen: boolean;
}): TaskDecision {
  const hasRows = found.resultCount >= (found.minimumRowCount ?? 1);
  if (found.isOpen) return hasRows ? 'Update' : 'Resolve';
  return hasRows && found.createTasks ? 'Open' : 'Nothing';
}

/**
 * Decides the consequence of an evaluation:
 * - Only a failed scheduled evaluation opens a task. A manual evaluation alerts no user.
 * - Every evaluation updates an open task.
 * - As many consecutive good evaluations as the alert of the contract requires resolve it.
 *
 * A warning is good unless the contract alerts on warnings. Otherwise it neither opens nor resolves a task.
 */
export function decideContractTask(found: {
  readonly outcome: 'Passed' | 'Warned' | 'Failed';
  readonly isScheduled: boolean;
  readonly createTasks: boolean;
  readonly isOpen: boolean;
  /** Number of consecutive good evaluations, including this one. */
  readonly goodRuns: number;
  readonly recoverRuns: number;
}): TaskDecision {
  if (found.isOpen) return found.goodRuns >= found.recoverRuns ? 'Resolve' : 'Update';
  return found.outcome === 'Failed' && found.isScheduled && found.createTasks ? 'Open' : 'Nothing';
}
