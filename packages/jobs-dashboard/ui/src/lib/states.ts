import type { JobState } from '@svc/jobs';

/** Colours of states: green and red for ended jobs, blue for active jobs, amber for jobs that need attention. */
export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'neutral';

/**
 * All states, in the order of a job's life cycle. Duplicated, because the library's code must not be part of the
 * browser bundle.
 */
export const states: readonly JobState[] = [
  'Scheduled',
  'Enqueued',
  'AwaitingParent',
  'AwaitingRetry',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
];

export const stateTone: Readonly<Record<JobState, Tone>> = {
  Scheduled: 'neutral',
  Enqueued: 'blue',
  AwaitingParent: 'neutral',
  AwaitingRetry: 'amber',
  Processing: 'blue',
  Completed: 'green',
  Failed: 'red',
  Cancelled: 'neutral',
};

/** Display names of states. */
export const stateWord: Readonly<Record<JobState, string>> = {
  Scheduled: 'Scheduled',
  Enqueued: 'Enqueued',
  AwaitingParent: 'Awaiting parent',
  AwaitingRetry: 'Awaiting retry',
  Processing: 'Processing',
  Completed: 'Completed',
  Failed: 'Failed',
  Cancelled: 'Cancelled',
};
