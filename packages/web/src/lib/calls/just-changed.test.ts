import { afterEach, expect, test, vi } from 'vitest';
import { freshness, noteChange } from './just-changed.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('reads bypass the cache for 5 s after a change', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  expect(freshness()).toEqual({});
  noteChange();
  vi.advanceTimersByTime(4_999);
  expect(freshness()).toEqual({ 'cache-control': 'no-cache' });
  vi.advanceTimersByTime(1);
  expect(freshness()).toEqual({});
});
