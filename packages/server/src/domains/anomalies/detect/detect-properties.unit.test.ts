import { anomalyDefaults, anomalyMethods, anomalySensitivities } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detect, newestPoints, pointsMax } from './detect.ts';
import type { Point } from './point.ts';
import { wallClockOf } from './slots.ts';
import { sortedWindow } from './sorted-window.ts';
import { leaveOneOutResiduals, median } from './statistics.ts';
import { thinned } from './thin.ts';

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 40 });
const zones = fc.constantFrom(
  'UTC',
  'Europe/Zagreb',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
);
const times = fc.integer({ min: Date.UTC(2010, 0, 1), max: Date.UTC(2035, 0, 1) });

const histories = fc
  .record({
    start: times,
    stepHours: fc.constantFrom(0.25, 1, 5, 24, 168),
    counts: fc.array(fc.nat({ max: 1_000_000_000 }), { minLength: 7, maxLength: 80 }),
    flags: fc.array(fc.constantFrom('Up' as const, 'Down' as const, null), { minLength: 80, maxLength: 80 }),
    hasBounds: fc.boolean(),
  })
  .map(({ start, stepHours, counts, flags, hasBounds }) => {
    const dueAt = (index: number) => new Date(start + index * stepHours * 3_600_000);
    const points = counts.map((count, index): Point => {
      const bounds = hasBounds ? { lower: Math.floor(count / 2), upper: count } : {};
      return { dueAt: dueAt(index), count, flagged: flags[index] ?? null, isExpected: false, ...bounds };
    });
    return { points, next: dueAt(counts.length) };
  });

test('the bounds that an assessment names are the bounds that it applies, for any history', () => {
  const property = fc.property(
    histories,
    fc.constantFrom(...anomalyMethods),
    fc.constantFrom(...anomalySensitivities),
    zones,
    ({ points, next }, method, sensitivity, timeZone) => {
      const watch = { ...anomalyDefaults, method, sensitivity, minimumDataPoints: 7 };
      const watched = { watch, timeZone, history: points };
      const assessment = detect({ dueAt: next, count: 0 }, watched);
      if (!assessment) return;
      expect(assessment.lower).toBeLessThanOrEqual(assessment.upper);
      expect(Number.isSafeInteger(assessment.lower) && Number.isSafeInteger(assessment.upper)).toBe(true);
      expect(detect({ dueAt: next, count: assessment.upper + 1 }, watched)?.flagged).toBe('Up');
      if (assessment.lower > 0)
        expect(detect({ dueAt: next, count: assessment.lower - 1 }, watched)?.flagged).toBe('Down');
    },
  );
  fc.assert(property, { numRuns: 150 });
});

test('the size of a flagged count with known bounds does not change the next assessment', () => {
  const property = fc.property(histories, fc.nat({ max: 1_000_000_000 }), ({ points, next }, size) => {
    const withLast = (count: number): Point[] => [
      ...points.map((point): Point => ({ ...point, flagged: null })),
      { dueAt: next, count, flagged: 'Up', isExpected: false, lower: 0, upper: 100 },
    ];
    const run = { dueAt: new Date(next.getTime() + 86_400_000), count: 5 };
    const assess = (count: number) =>
      detect(run, { watch: anomalyDefaults, timeZone: 'UTC', history: withLast(count) });
    expect(assess(101 + size)).toEqual(assess(101));
  });
  fc.assert(property, { numRuns: 60 });
});

test('a long history is reduced to the bound: the newest points all remain, and the older ones at even distances', () => {
  const points = Array.from({ length: 100_000 }, (_, index) => index);
  const few = thinned(points, pointsMax, newestPoints);
  expect(few).toHaveLength(pointsMax);
  expect(few.slice(-newestPoints)).toEqual(points.slice(-newestPoints));
  const gaps = few.slice(1, -newestPoints).map((point, index) => point - (few[index] ?? 0));
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
});

test('leave-one-out residuals are the distances from the median of the others', () => {
  const property = fc.property(numbers, (values) => {
    const expected = values.map((value, at) => value - median(values.toSpliced(at, 1)));
    for (const [at, residual] of leaveOneOutResiduals(values).entries())
      expect(residual).toBeCloseTo(expected[at] ?? Number.NaN, 6);
  });
  fc.assert(property);
});

test('a sorted window returns the median of the values that were added and not removed', () => {
  const property = fc.property(numbers, fc.nat({ max: 10 }), (values, removed) => {
    const window = sortedWindow();
    for (const value of values) window.add(value);
    const gone = Math.min(removed, values.length - 1);
    for (const value of values.slice(0, gone)) window.remove(value);
    expect(window.median()).toBe(median(values.slice(gone)));
  });
  fc.assert(property);
});

test('the wall clock is that of the time zone, also around its clock changes', () => {
  const property = fc.property(times, zones, (at, timeZone) => {
    const { date, hour, minute } = wallClockOf(timeZone)(new Date(at));
    const shown = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(at);
    const two = (value: number): string => String(value).padStart(2, '0');
    expect(`${date} ${two(hour)}:${two(minute)}`).toBe(shown);
  });
  fc.assert(property, { numRuns: 300 });
});
