import type { JobState } from '@svc/jobs';

/** Colours of states: green and red for ends, blue for work, amber for what asks for attention. */
export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'neutral';

/** Every state, in the order of a job's life. Not from the library: its code stays out of the browser. */
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

/** A state in words. */
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
