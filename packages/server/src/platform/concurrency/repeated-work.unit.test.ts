import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeatWork } from './repeated-work.ts';

const everyMs = 1_000;
const timeoutMs = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('repeated work runs again after each turn, even after a failed one, and reports the failure', async () => {
  const errors: unknown[] = [];
  let turns = 0;
  const repeated = repeatWork({
    everyMs,
    timeoutMs,
    onError: (error) => errors.push(error),
    work: async () => {
      turns += 1;
      if (turns === 2) throw new Error('lost');
    },
  });
  repeated.start();
  repeated.start();
  await vi.advanceTimersByTimeAsync(3 * everyMs);
  expect(turns).toBe(4);
  expect(errors).toEqual([new Error('lost')]);
  await repeated.close();
  await vi.advanceTimersByTimeAsync(10 * everyMs);
  expect(turns).toBe(4);
});

test('repeated work starts no turn while one runs, and waits for it when it is closed', async () => {
  const work = Promise.withResolvers<void>();
  let turns = 0;
  const repeated = repeatWork({
    everyMs,
    timeoutMs,
    onError: () => undefined,
    work: () => {
      turns += 1;
      return work.promise;
    },
  });
  repeated.start();
  await vi.advanceTimersByTimeAsync(10 * everyMs);
  expect(turns).toBe(1);
  let isClosed = false;
  const closed = repeated.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(isClosed).toBe(false);
  work.resolve();
  await closed;
});

test('repeated work has succeeded within a time only if a turn succeeded within it', async () => {
  let isComplete = true;
  const repeated = repeatWork({
    everyMs,
    timeoutMs,
    onError: () => undefined,
    work: async () => {
      if (!isComplete) throw new Error('lost');
    },
  });
  expect(repeated.hasSucceededWithin(Number.MAX_SAFE_INTEGER)).toBe(false);
  repeated.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(repeated.hasSucceededWithin(1)).toBe(true);
  isComplete = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(repeated.hasSucceededWithin(50_000)).toBe(false);
  await repeated.close();
});
