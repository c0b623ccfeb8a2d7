/** What a run means for the task of its subscription. */
export type TaskDecision = 'Open' | 'Update' | 'Resolve' | 'Nothing';

/**
 * Decides what follows from the rows that a run found. Fewer rows than the subscription's minimum are none. A task that
 * is open is followed to its end even when the subscription opens none any more.
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
 * Decides what follows from an evaluation. Failed opens a task, by the schedule alone: who looks by hand alerts nobody.
 * An open one is followed to its end by every evaluation: so many good ones in a row as the alert of the contract waits
 * for resolve it. A warning is good unless the contract alerts on warnings; then it opens nothing and resolves nothing.
 */
export function decideContractTask(found: {
  readonly outcome: 'Passed' | 'Warned' | 'Failed';
  readonly isScheduled: boolean;
  readonly createTasks: boolean;
  readonly isOpen: boolean;
  /** Good evaluations in a row, this one included. */
  readonly goodRuns: number;
  readonly recoverRuns: number;
}): TaskDecision {
  if (found.isOpen) return found.goodRuns >= found.recoverRuns ? 'Resolve' : 'Update';
  return found.outcome === 'Failed' && found.isScheduled && found.createTasks ? 'Open' : 'Nothing';
}
