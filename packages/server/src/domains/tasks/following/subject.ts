/** What a task is about. */
export type TaskSubject = { readonly kind: 'Subscription' | 'Contract'; readonly id: number };

/** What was found of it. */
export type Found = {
  readonly subject: TaskSubject;
  /** The run that it comes from; null where an evaluation told nobody. */
  readonly runId: number | null;
  /** Rows that a run found, or rules that an evaluation did not pass. */
  readonly count: number;
};

/** What is counted, where that is not rows: kept with what happened, for those who read of it. */
export const countedIn = ({ subject, count }: Found): { count: number; of?: 'Rules' } =>
  subject.kind === 'Contract' ? { count, of: 'Rules' } : { count };
