import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReaderPauses, pausesTotalMaxMs, serverLimitMs, startDeadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();

test('a deadline without pauses expires at its time', () => {
  const deadline = startDeadline({ signal, timeoutMs: 1_000 });
  vi.advanceTimersByTime(999);
  expect([deadline.remainingMs(), deadline.reason()]).toEqual([1, undefined]);
  vi.advanceTimersByTime(1);
  expect(deadline.reason()?.code).toBe('timed-out');
});

test('pauses of the reader do not count, and the remaining time continues after each pause', () => {
  const pauses = createReaderPauses();
  const deadline = startDeadline({ signal, timeoutMs: 1_000, pauses });
  for (let turn = 0; turn < 3; turn += 1) {
    vi.advanceTimersByTime(300);
    pauses.pause();
    vi.advanceTimersByTime(60_000);
    pauses.resume();
  }
  expect([deadline.remainingMs(), deadline.reason(), pauses.totalMs()]).toEqual([100, undefined, 180_000]);
  vi.advanceTimersByTime(100);
  expect(deadline.reason()?.code).toBe('timed-out');
});

test('the clock of a call that begins in a pause starts when the reader resumes', () => {
  const pauses = createReaderPauses();
  pauses.pause();
  const deadline = startDeadline({ signal, timeoutMs: 1_000, pauses });
  vi.advanceTimersByTime(5_000);
  pauses.resume();
  vi.advanceTimersByTime(999);
  expect(deadline.reason()).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(deadline.reason()?.code).toBe('timed-out');
});

test('once the total pause limit is used, further pauses count', () => {
  const pauses = createReaderPauses();
  const deadline = startDeadline({ signal, timeoutMs: 1_000, pauses });
  pauses.pause();
  vi.advanceTimersByTime(pausesTotalMaxMs);
  pauses.resume();
  pauses.pause();
  vi.advanceTimersByTime(1_000);
  expect(deadline.reason()?.code).toBe('timed-out');
  expect([serverLimitMs(5, undefined), serverLimitMs(5, pauses)]).toEqual([5, 5 + pausesTotalMaxMs]);
});

test('a disposed deadline never expires', () => {
  const pauses = createReaderPauses();
  const deadline = startDeadline({ signal, timeoutMs: 1_000, pauses });
  deadline.dispose();
  pauses.pause();
  pauses.resume();
  vi.advanceTimersByTime(10_000);
  expect(deadline.reason()).toBeUndefined();
});
