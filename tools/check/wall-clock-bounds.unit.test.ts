import { expect, test } from 'vitest';
import { findBoundsOfElapsedTime } from './wall-clock-bounds.ts';

const linesOf = (text: string): number[] => findBoundsOfElapsedTime(text).map(({ line }) => line);

test('reports an upper bound of a difference of clock reads', () => {
  expect(linesOf('const at = performance.now();\nexpect(performance.now() - at).toBeLessThan(500);')).toEqual(
    [2],
  );
  expect(linesOf('expect(Date.now() - at, "late").toBeLessThanOrEqual(9);')).toEqual([1]);
  expect(linesOf('expect(Math.abs(Date.parse(text) - Date.now()))\n  .toBeLessThan(60_000);')).toEqual([2]);
  expect(linesOf('expect((end - Date.now()) / 60_000).toBeCloseTo(30, 0);')).toEqual([1]);
  expect(linesOf('await expect.poll(() => Date.now() - at).toBeLessThan(5);')).toEqual([1]);
  expect(
    linesOf('await expect.poll(async () => Date.now() - (await at()), { timeout: 1 }).toBeLessThan(5);'),
  ).toEqual([1]);
});

test('reports an upper bound of a variable with a difference of clock reads', () => {
  expect(linesOf('const ms = performance.now() - at;\nexpect(ms).toBeLessThan(1);')).toEqual([2]);
  expect(
    linesOf('const seconds = (performance.now() - at) / 1_000;\nexpect(seconds).toBeLessThan(1);'),
  ).toEqual([2]);
  expect(linesOf('let ms = 0;\nms = Math.max(ms, Date.now() - at);\nexpect(ms).toBeLessThan(1);')).toEqual([
    3,
  ]);
});

test('reports a lower bound of a time that a later clock read determines', () => {
  expect(linesOf('expect(usedAt).toBeGreaterThan(Date.now() - 60_000);')).toEqual([1]);
  expect(linesOf('expect(Date.parse(dueAt) - Date.now()).toBeGreaterThan(7_000);')).toEqual([1]);
});

test('accepts lower bounds of elapsed times, bounds by a clock read, and other values', () => {
  expect(linesOf('expect(performance.now() - at).toBeGreaterThan(950);')).toEqual([]);
  expect(linesOf('const before = Date.now() + 60_000;\nexpect(dueAt).toBeLessThan(before);')).toEqual([]);
  expect(linesOf('const before = Date.now() - 60_000;\nexpect(dueAt).toBeGreaterThan(before);')).toEqual([]);
  expect(linesOf('expect(lines.length).toBeLessThan(12 * (performance.now() - at));')).toEqual([]);
  expect(linesOf('const ms = processorTime();\nexpect(ms - before).toBeLessThan(9);')).toEqual([]);
});
