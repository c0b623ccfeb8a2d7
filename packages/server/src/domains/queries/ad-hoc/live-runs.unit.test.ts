import { expect, test } from 'vitest';
import { anonymousCaller, type Caller } from '../../../platform/access/index.ts';
import { createLiveRuns } from './live-runs.ts';

const callerOf = (userId: number): Caller => ({ ...anonymousCaller, kind: 'session', userId });

/** Work that ends only when its signal aborts. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

test('a stop request that arrives before its run stops the run when it begins, also when it is repeated', async () => {
  const live = createLiveRuns();
  const [starter, other] = [callerOf(1), callerOf(2)];
  const stopping = Promise.all([live.stop(starter, 'the-run'), live.stop(starter, 'the-run')]);
  const strange = live.stop(other, 'the-run');
  const running = live.run(starter, 'the-run', new AbortController().signal, endless);
  await expect(running).rejects.toThrow();
  expect(await stopping).toEqual(['Stopped', 'Stopped']);
  expect(await strange).toBe('NotRunning');
});

test('a run that never begins is reported as not running, and a later run with the same key runs', async () => {
  const live = createLiveRuns();
  const caller = callerOf(1);
  expect(await live.stop(caller, 'the-run')).toBe('NotRunning');
  const signal = new AbortController().signal;
  expect(await live.run(caller, 'the-run', signal, async () => 'done')).toBe('done');
});
