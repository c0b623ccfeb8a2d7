import { normal, poisson } from './families.ts';

/** Time of a run, and days since the first run. */
export type Moment = { readonly at: Date; readonly day: number };

/** A kind of subscription whose counts repeat, change or drift. */
export type SeasonalFamily = {
  readonly name: string;
  readonly runsADay: 1 | 24;
  /** Returns the count of each run in order; null where the run is missing. */
  readonly counts: (random: () => number) => (moment: Moment) => number | null;
};

const dayMs = 86_400_000;
const isWeekend = (at: Date): boolean => at.getUTCDay() % 6 === 0;
const isLastDay = (at: Date): boolean => new Date(at.getTime() + dayMs).getUTCDate() === 1;
const isBusinessHour = (at: Date): boolean =>
  !isWeekend(at) && at.getUTCHours() >= 8 && at.getUTCHours() < 18;
const around = (level: number, share: number, random: () => number): number =>
  Math.max(0, Math.round(level * (1 + share * normal(random))));

export const seasonalFamilies: readonly SeasonalFamily[] = [
  {
    name: 'half as many at weekends',
    runsADay: 1,
    counts:
      (random) =>
      ({ at }) =>
        around(isWeekend(at) ? 500 : 1_000, 0.05, random),
  },
  {
    name: 'none at weekends',
    runsADay: 1,
    counts:
      (random) =>
      ({ at }) =>
        isWeekend(at) ? 0 : around(1_000, 0.05, random),
  },
  {
    name: 'three times as many at month ends',
    runsADay: 1,
    counts:
      (random) =>
      ({ at }) =>
        around(isLastDay(at) ? 900 : 300, 0.07, random),
  },
  {
    name: 'month ends and weekends',
    runsADay: 1,
    counts:
      (random) =>
      ({ at }) =>
        around((isWeekend(at) ? 60 : 200) * (isLastDay(at) ? 3 : 1), 0.08, random),
  },
  { name: 'level shifts', runsADay: 1, counts: shiftingLevels },
  {
    name: 'a trend and weekends',
    runsADay: 1,
    counts:
      (random) =>
      ({ at, day }) =>
        poisson(100 * 1.005 ** day * (isWeekend(at) ? 0.3 : 1), random),
  },
  { name: 'a drifting level', runsADay: 1, counts: driftingLevel },
  {
    name: 'missing runs and weekends',
    runsADay: 1,
    counts:
      (random) =>
      ({ at }) =>
        random() < 0.2 ? null : around(isWeekend(at) ? 300 : 600, 0.06, random),
  },
  {
    name: 'heavy tails',
    runsADay: 1,
    counts: (random) => () => Math.round(50 * Math.exp(0.8 * normal(random))),
  },
  {
    name: 'business hours',
    runsADay: 24,
    counts:
      (random) =>
      ({ at }) =>
        poisson(isBusinessHour(at) ? 300 : 15, random),
  },
];

function shiftingLevels(random: () => number) {
  let level = 200;
  return () => {
    if (random() < 1 / 60) level = Math.min(2_000, Math.max(50, level * (random() < 0.5 ? 0.5 : 2)));
    return around(level, 0.07, random);
  };
}

function driftingLevel(random: () => number) {
  let logarithm = Math.log(300);
  return () => {
    logarithm += 0.04 * normal(random) - 0.01 * (logarithm - Math.log(300));
    return poisson(Math.exp(logarithm), random);
  };
}
