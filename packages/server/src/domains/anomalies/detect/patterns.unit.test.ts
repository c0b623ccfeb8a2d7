import { type AnomalyWatch, anomalyDefaults } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { detect } from './detect.ts';
import type { Assessment, Point } from './point.ts';

const dayMs = 86_400_000;
/** A Monday. */
const first = Date.UTC(2026, 0, 5, 8);
const isWeekend = (at: Date): boolean => at.getUTCDay() % 6 === 0;
const isLastDay = (at: Date): boolean => new Date(at.getTime() + dayMs).getUTCDate() === 1;

/** Returns a seeded generator of roughly normal noise with a standard deviation of 1. */
function noiseOf(seed: number): () => number {
  let state = seed;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => (next() + next() + next() + next() - 2) * Math.sqrt(3);
}

type Flagged = { readonly at: Date; readonly assessment: Assessment };
type Replay = {
  readonly days: number;
  readonly runsADay?: number;
  readonly countAt: (at: Date, noise: () => number) => number;
  readonly seed?: number;
  readonly holidays?: ReadonlySet<string>;
  readonly watch?: Partial<AnomalyWatch>;
};

/** Returns the flagged runs. Each run is assessed by the runs before it, as in the service. */
function replay({ days, runsADay = 1, countAt, seed = 7, holidays = new Set(), watch = {} }: Replay) {
  const noise = noiseOf(seed);
  const history: Point[] = [];
  const flagged: Flagged[] = [];
  for (let run = 0; run < days * runsADay; run += 1) {
    const dueAt = new Date(first + (run * dayMs) / runsADay);
    const count = Math.max(0, Math.round(countAt(dueAt, noise)));
    const watched = { watch: { ...anomalyDefaults, ...watch }, timeZone: 'UTC', history, holidays };
    const assessment = detect({ dueAt, count }, watched);
    const { lower = null, upper = null } = assessment ?? {};
    history.push({ dueAt, count, flagged: assessment?.flagged ?? null, isExpected: false, lower, upper });
    if (assessment?.flagged) flagged.push({ at: dueAt, assessment });
  }
  return { flagged, history };
}

describe('a weekly pattern', () => {
  test.each([1, 2])(
    'with half as many rows at weekends is flagged at most once in half a year, seed %i',
    (seed) => {
      const countAt = (at: Date, noise: () => number) => (isWeekend(at) ? 500 : 1_000) * (1 + 0.05 * noise());
      expect(replay({ days: 182, countAt, seed }).flagged.length).toBeLessThanOrEqual(1);
    },
  );

  test.each([1, 2])('with no rows at weekends is flagged at most once in half a year, seed %i', (seed) => {
    const countAt = (at: Date, noise: () => number) => (isWeekend(at) ? 0 : 1_000 * (1 + 0.05 * noise()));
    expect(replay({ days: 182, countAt, seed }).flagged.length).toBeLessThanOrEqual(1);
  });

  test('still flags a weekday without rows, and a weekend with the rows of a weekday', () => {
    const countAt = (at: Date, noise: () => number) => (isWeekend(at) ? 0 : 1_000 * (1 + 0.05 * noise()));
    const { history } = replay({ days: 63, countAt });
    const watched = { watch: anomalyDefaults, timeZone: 'UTC', history };
    expect(detect({ dueAt: new Date(first + 63 * dayMs), count: 0 }, watched)?.flagged).toBe('Down');
    expect(detect({ dueAt: new Date(first + 68 * dayMs), count: 1_000 }, watched)?.flagged).toBe('Up');
  });

  test('that begins later is learnt within four weeks', () => {
    const begins = first + 100 * dayMs;
    const countAt = (at: Date, noise: () => number) =>
      1_000 * (isWeekend(at) && at.getTime() >= begins ? 0.1 : 1) * (1 + 0.05 * noise());
    const { flagged } = replay({ days: 182, countAt });
    expect(flagged.length).toBeGreaterThan(0);
    expect(flagged.filter(({ at }) => at.getTime() > begins + 28 * dayMs).length).toBeLessThanOrEqual(1);
  });
});

test('counts that are zero outside business hours are never flagged after the first weeks', () => {
  const isOpen = (at: Date): boolean => !isWeekend(at) && at.getUTCHours() >= 8 && at.getUTCHours() < 18;
  const countAt = (at: Date, noise: () => number) => (isOpen(at) ? 400 * (1 + 0.08 * noise()) : 0);
  const { flagged, history } = replay({ days: 28, runsADay: 24, countAt });
  expect(flagged.filter(({ at }) => at.getTime() > first + 15 * dayMs)).toEqual([]);
  const noon = new Date(first + 28 * dayMs + 4 * 3_600_000);
  const watched = { watch: anomalyDefaults, timeZone: 'UTC', history };
  expect(detect({ dueAt: noon, count: 0 }, watched)).toMatchObject({ flagged: 'Down' });
});

describe('a monthly pattern', () => {
  test('with three times as many rows on the last day is learnt from two months', () => {
    const countAt = (at: Date, noise: () => number) => (isLastDay(at) ? 900 : 300) * (1 + 0.05 * noise());
    const { flagged, history } = replay({ days: 200, countAt });
    expect(flagged.filter(({ at }) => at.getTime() > Date.UTC(2026, 3, 1)).length).toBeLessThanOrEqual(1);
    const watched = { watch: anomalyDefaults, timeZone: 'UTC', history };
    const lastDay = detect({ dueAt: new Date(Date.UTC(2026, 6, 31, 8)), count: 300 }, watched);
    expect(lastDay).toMatchObject({ flagged: 'Down' });
    expect(lastDay?.explanation).toMatch(/ from \d runs on the last day of a month\.$/);
  });

  test('with more rows on the 15th is named in the explanation', () => {
    const countAt = (at: Date, noise: () => number) =>
      (at.getUTCDate() === 15 ? 900 : 300) * (1 + 0.05 * noise());
    const { history } = replay({ days: 160, countAt });
    const watched = { watch: anomalyDefaults, timeZone: 'UTC', history };
    const assessment = detect({ dueAt: new Date(Date.UTC(2026, 5, 15, 8)), count: 300 }, watched);
    expect(assessment).toMatchObject({ flagged: 'Down' });
    expect(assessment?.explanation).toMatch(/ from \d runs on day 15 of a month\.$/);
  });
});

describe('a holiday', () => {
  const holidays = new Set(['2026-04-03', '2026-04-06', '2026-05-01', '2026-05-25']);
  const countAt = (at: Date, noise: () => number) =>
    (holidays.has(at.toISOString().slice(0, 10)) ? 50 : 1_000) * (1 + 0.05 * noise());

  test('with fewer rows is not flagged if it is known, and is flagged if it is not known', () => {
    expect(replay({ days: 182, countAt, holidays }).flagged).toEqual([]);
    expect(replay({ days: 182, countAt }).flagged.map(({ at }) => at.toISOString().slice(0, 10))).toContain(
      '2026-04-03',
    );
  });

  test('with far more rows than usual is flagged, and the explanation states that the band is for a holiday', () => {
    const { history } = replay({ days: 88, countAt, holidays });
    const watched = { watch: anomalyDefaults, timeZone: 'UTC', history, holidays };
    const assessment = detect({ dueAt: new Date('2026-04-03T08:00:00Z'), count: 3_000 }, watched);
    expect(assessment).toMatchObject({ flagged: 'Up', lower: 0 });
    expect(assessment?.explanation).toMatch(/ were expected on a holiday, from \d+ runs\.$/);
  });

  test('has a separate lower bound after three earlier holidays', () => {
    const { history } = replay({ days: 140, countAt, holidays });
    const watched = { watch: anomalyDefaults, timeZone: 'UTC', history, holidays };
    const dueAt = new Date('2026-05-25T08:00:00Z');
    expect(detect({ dueAt, count: 50 }, watched)?.flagged).toBeNull();
    expect(detect({ dueAt, count: 0 }, watched)?.flagged).toBe('Down');
    expect(detect({ dueAt, count: 50 }, watched)?.explanation).toContain(' and 3 holiday runs.');
  });
});

test('a new level is flagged at first, and accepted within two weeks', () => {
  const step = first + 90 * dayMs;
  const countAt = (at: Date, noise: () => number) => (at.getTime() < step ? 200 : 600) * (1 + 0.05 * noise());
  const days = replay({ days: 150, countAt }).flagged.map(({ at }) => (at.getTime() - step) / dayMs);
  expect(days[0]).toBe(0);
  expect(days.filter((day) => day > 14)).toEqual([]);
});

test('counts with bursts are flagged at most twelve times a year', () => {
  let burst = 3;
  const countAt = (_at: Date, noise: () => number) => {
    burst = (burst * 16_807) % 2_147_483_647;
    return burst % 10 === 0 ? 30 + 5 * noise() : 0;
  };
  expect(replay({ days: 365, countAt }).flagged.length).toBeLessThanOrEqual(12);
});
