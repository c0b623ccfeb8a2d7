import { type AnomalyWatch, anomalyDefaults } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { detect } from './detect.ts';
import type { Point } from './point.ts';

const dayMs = 86_400_000;
/** A Monday. */
const first = Date.UTC(2026, 0, 5, 8);
const at = (day: number, hours = 0) => new Date(first + day * dayMs + hours * 3_600_000);
const points = (counts: readonly number[], flagged: Point['flagged'] = null): Point[] =>
  counts.map((count, day) => ({ dueAt: at(day), count, flagged, isExpected: false }));
const assessed = (
  count: number,
  history: readonly Point[],
  change: Partial<AnomalyWatch> = {},
  dueAt = at(history.length),
) => detect({ dueAt, count }, { watch: { ...anomalyDefaults, ...change }, timeZone: 'UTC', history });
const flagged = (...given: Parameters<typeof assessed>) => assessed(...given)?.flagged;

/** Returns counts around a level with the scatter of independent events, the same at each call. */
const wave = (level: number, length: number): number[] =>
  Array.from({ length }, (_, day) => level + Math.round(Math.sqrt(level) * Math.sin(day * 2.4)));
const steadyDays = points(wave(25, 30));

describe('the level of counts', () => {
  test('too few runs result in no assessment', () => {
    expect(assessed(900, points(wave(25, 13)))).toBeUndefined();
    expect(assessed(900, points(wave(25, 14)))).toBeDefined();
  });

  test('ordinary counts pass, while zero and three times the usual count are flagged', () => {
    for (const count of wave(25, 12)) expect(flagged(count, steadyDays)).toBeNull();
    expect(flagged(0, steadyDays)).toBe('Down');
    expect(flagged(75, steadyDays)).toBe('Up');
  });

  test('the explanation is one sentence with the smallest and largest count that would have passed', () => {
    const assessment = assessed(75, steadyDays);
    expect(assessment?.explanation).toBe(
      `75 rows; ${assessment?.lower} to ${assessment?.upper} were expected, from 30 runs.`,
    );
    expect(flagged(assessment?.upper ?? 0, steadyDays)).toBeNull();
    expect(flagged((assessment?.upper ?? 0) + 1, steadyDays)).toBe('Up');
    expect(flagged(assessment?.lower ?? 0, steadyDays)).toBeNull();
    expect(flagged((assessment?.lower ?? 0) - 1, steadyDays)).toBe('Down');
  });

  test('the severity grows with the distance from the band', () => {
    const severities = [60, 100, 140, 2_000].map((count) => assessed(count, steadyDays)?.severity);
    expect(severities).toEqual(['Low', 'Medium', 'High', 'Critical']);
  });

  test('constant counts allow a small deviation, but not half the count', () => {
    const same = points(Array.from({ length: 20 }, () => 500));
    expect(flagged(503, same)).toBeNull();
    expect(flagged(250, same)).toBe('Down');
  });

  test('counts that scatter less than independent events have a narrower band', () => {
    const even = points(Array.from({ length: 60 }, (_, day) => 540 + Math.round(6 * Math.sin(day * 2.4))));
    expect(flagged(640, even)).toBe('Up');
    expect(flagged(460, even)).toBe('Down');
    expect(flagged(555, even)).toBeNull();
  });

  test('an unusual first count and one spike do not widen the band', () => {
    const counts = Array.from({ length: 240 }, (_, hour) => 540 + Math.round(6 * Math.sin(hour * 2.4)));
    counts[0] = 180;
    counts[50] = 1_082;
    const hourly = counts.map(
      (count, hour): Point => ({ dueAt: at(0, hour), count, flagged: null, isExpected: false }),
    );
    expect(flagged(700, hourly, {}, at(0, 240))).toBe('Up');
  });

  test('a count that has occurred regularly before is not flagged', () => {
    const often = points(wave(25, 30).map((count, day) => (day % 8 === 3 ? 300 : count)));
    expect(flagged(300, often, {}, at(30, 3))).toBeNull();
    expect(flagged(900, often, {}, at(30, 3))).toBe('Up');
  });
});

describe('the settings of an anomaly watch', () => {
  test('the direction, the floor and the sensitivity change which counts are flagged', () => {
    expect(flagged(0, steadyDays, { directions: 'Up' })).toBeNull();
    expect(flagged(75, steadyDays, { directions: 'Down' })).toBeNull();
    expect(flagged(75, steadyDays, { floor: 76 })).toBeNull();
    expect(flagged(75, steadyDays, { floor: 75 })).toBe('Up');
    expect(flagged(0, steadyDays, { floor: 10 })).toBe('Down');
    const bands = (['High', 'Medium', 'Low'] as const).map((sensitivity) => {
      const assessment = assessed(25, steadyDays, { sensitivity });
      return (assessment?.upper ?? 0) - (assessment?.lower ?? 0);
    });
    expect(bands).toEqual(bands.toSorted((a, b) => a - b));
    expect(new Set(bands).size).toBe(3);
  });

  test('the method Percentage flags counts that differ from the middle by more than the configured share', () => {
    const change = { method: 'Percentage', percent: 20 } as const;
    const hundreds = points(Array.from({ length: 20 }, () => 100));
    expect(flagged(120, hundreds, change)).toBeNull();
    expect(flagged(121, hundreds, change)).toBe('Up');
    expect(flagged(79, hundreds, change)).toBe('Down');
    expect(assessed(150, hundreds, change)).toMatchObject({ lower: 80, upper: 120, severity: 'High' });
    const none = points(Array.from({ length: 20 }, () => 0));
    expect(flagged(1, none, change)).toBe('Up');
    expect(flagged(0, none, change)).toBeNull();
  });
});

describe('patterns in time', () => {
  const weeks = points(
    Array.from({ length: 42 }, (_, day) => (day % 7 >= 5 ? 20 : 200) + Math.round(4 * Math.sin(day * 2.4))),
  );

  test('a weekend count is compared with weekends, and a Monday count with Mondays', () => {
    expect(flagged(200, weeks, {}, at(47))).toBe('Up');
    expect(flagged(20, weeks, {}, at(47))).toBeNull();
    expect(flagged(20, weeks, {}, at(42))).toBe('Down');
    expect(assessed(20, weeks, {}, at(42))?.explanation).toMatch(
      /^20 rows; .* were expected, from 6 Mondays\.$/,
    );
  });

  test('an hour in the time zone of the schedule is compared with the same hour', () => {
    const hourly = Array.from({ length: 10 * 24 }, (_, hour): Point => {
      const local = (hour + 8 + 5) % 24;
      const count = (local >= 7 && local < 19 ? 200 : 30) + Math.round(4 * Math.sin(hour * 2.4));
      return { dueAt: at(0, hour), count, flagged: null, isExpected: false };
    });
    const run = { dueAt: at(10, 13), count: 200 };
    const watched = { watch: anomalyDefaults, history: hourly };
    const assessment = detect(run, { ...watched, timeZone: 'Asia/Karachi' });
    expect(assessment).toMatchObject({ flagged: 'Up' });
    expect(assessment?.explanation).toMatch(/ from 10 runs at 02:00\.$/);
    expect(detect({ ...run, count: 30 }, { ...watched, timeZone: 'Asia/Karachi' })?.flagged).toBeNull();
  });

  test('a rising trend raises the expected counts', () => {
    const climbing = points(wave(25, 40).map((count, day) => count + 5 * day));
    expect(flagged(225, climbing)).toBeNull();
    expect(flagged(100, climbing)).toBe('Down');
    expect(assessed(100, climbing)?.explanation).toContain('from the trend of 40 runs');
  });
});

describe('flagged counts', () => {
  test('are accepted only if a user marks them as expected or after five in a row', () => {
    const odd = (many: number, isExpected = false): Point[] => [
      ...steadyDays,
      ...Array.from({ length: many }, (_, more): Point => {
        return { dueAt: at(30 + more), count: 300, flagged: 'Up', isExpected, lower: 10, upper: 48 };
      }),
    ];
    expect(flagged(300, odd(4))).toBe('Up');
    expect(flagged(300, odd(5))).toBeNull();
    expect(flagged(300, odd(4, true))).toBeNull();
  });
});
