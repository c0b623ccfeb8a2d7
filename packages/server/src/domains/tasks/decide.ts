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
