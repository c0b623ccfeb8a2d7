import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHealthService } from './index.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

test('the probe waits five seconds for a silent database, and then fails with 503', async () => {
  const deadlinesMs: number[] = [];
  const service = createHealthService([
    async () => undefined,
    (deadlineMs) => {
      deadlinesMs.push(deadlineMs);
      return never;
    },
  ]);
  let outcome: unknown = 'pending';
  service.check().then(
    () => {
      outcome = 'answered';
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  await vi.advanceTimersByTimeAsync(4_999);
  expect(outcome).toBe('pending');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toMatchObject({ status: 503 });
  expect(deadlinesMs).toEqual([5_000]);
});
