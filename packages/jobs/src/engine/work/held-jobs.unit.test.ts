import { expect, it } from 'vitest';
import type { ClaimedJob } from '../../sql/jobs/claim-jobs.ts';
import type { RegisteredHandler } from '../handler.ts';
import { createHeldJobs } from './held-jobs.ts';

const hold = () =>
  createHeldJobs().add({ id: 'a', fence: 1 } as ClaimedJob, 'default', {} as RegisteredHandler);

it('a signal that is read before or after the abort has the first cause', () => {
  const [asked, unasked] = [hold(), hold()];
  const { signal } = asked;
  const callbacks: string[] = [];
  signal.addEventListener('abort', () => callbacks.push('signal'));
  asked.onAbort = () => callbacks.push('attempt');
  expect(signal.aborted).toBe(false);
  for (const held of [asked, unasked]) {
    held.abort('Cancelled');
    held.abort('Stopping');
    expect(held.abortCause).toBe('Cancelled');
    expect(held.signal.aborted).toBe(true);
    expect(held.signal.reason).toBe(held.abortReason);
    expect(held.signal.reason).toMatchObject({ cause: 'Cancelled' });
  }
  expect(callbacks).toEqual(['attempt', 'signal']);
});
