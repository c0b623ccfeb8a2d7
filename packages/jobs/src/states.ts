/** All states of a job, in the order of its life cycle. */
export const jobStates = [
  'Scheduled',
  'Enqueued',
  'AwaitingParent',
  'AwaitingRetry',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
] as const;

/** State of a job, message or batch. */
export type JobState = (typeof jobStates)[number];

/** States that end a job. Only a requeue leaves them. */
export type FinalState = Extract<JobState, 'Completed' | 'Failed' | 'Cancelled'>;

/** Kind of a row. A job has a handler; a message or a batch is the parent of its members. */
export type JobKind = 'Job' | 'Message' | 'Batch';

/** Returns true for a state that ends a job. */
export function isFinalState(state: JobState): state is FinalState {
  return state === 'Completed' || state === 'Failed' || state === 'Cancelled';
}
