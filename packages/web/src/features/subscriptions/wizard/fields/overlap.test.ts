import { expect, test } from 'vitest';
import { overlaps, shortestIntervalMs, usualDurationMs } from './overlap.ts';

test('the interval is the shortest time between two of the next due times', () => {
  const times = [
    '2026-01-02T08:00:00Z',
    '2026-01-02T08:10:00Z',
    '2026-01-02T08:11:00Z',
    '2026-01-03T08:00:00Z',
  ];
  expect(shortestIntervalMs(times)).toBe(60_000);
  expect(shortestIntervalMs(times.slice(0, 1))).toBeNull();
  expect(shortestIntervalMs([])).toBeNull();
});

test('the usual duration is the median, so one slow run causes no warning', () => {
  expect(usualDurationMs([1_000, 900_000, 2_000])).toBe(2_000);
  expect(usualDurationMs([75_000, null, 74_000])).toBe(74_000);
  expect(usualDurationMs([null])).toBeNull();
});

test('runs overlap if they usually take longer than the interval, and never if a figure is unknown', () => {
  expect(overlaps(75_000, 60_000)).toBe(true);
  expect(overlaps(60_000, 60_000)).toBe(false);
  expect(overlaps(null, 60_000)).toBe(false);
  expect(overlaps(75_000, null)).toBe(false);
});
