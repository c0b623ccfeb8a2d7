/** Every state of a job, in the order of its life. */
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

/** States that end a job; only a requeue leaves them. */
export type FinalState = Extract<JobState, 'Completed' | 'Failed' | 'Cancelled'>;

/** A job has a handler; a message and a batch are the parents of their members. */
export type JobKind = 'Job' | 'Message' | 'Batch';

/** Whether the state ends a job. */
export function isFinalState(state: JobState): state is FinalState {
  return state === 'Completed' || state === 'Failed' || state === 'Cancelled';
}
