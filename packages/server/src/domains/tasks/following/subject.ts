export type TaskSubject = { readonly kind: 'Subscription' | 'Contract'; readonly id: number };

/** Result of a run or an evaluation about a subject. */
export type Found = {
  readonly subject: TaskSubject;
  /** Run with the result; null when an evaluation caused no notification. */
  readonly runId: number | null;
  /** Number of rows that a run found, or of rules that an evaluation did not pass. */
  readonly count: number;
};

/** Returns the count, with its unit if that is not rows. Events and notices store it for their texts. */
export const countedIn = ({ subject, count }: Found): { count: number; of?: 'Rules' } =>
  subject.kind === 'Contract' ? { count, of: 'Rules' } : { count };
