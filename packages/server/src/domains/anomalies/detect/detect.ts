import type { AnomalySensitivity, AnomalySeverity, AnomalyWatch } from '@svc/contract';
import { baselineOf, type Learnt } from './baseline.ts';
import { commonScatterPoints, countOf, type Expectation, expectationAt, steady } from './expect.ts';
import { explain } from './explain.ts';
import type { Assessment, Point } from './point.ts';
import { type WallTime, wallClockOf } from './slots.ts';
import { median } from './statistics.ts';
import { usualExtreme } from './tail.ts';
import { thinned } from './thin.ts';

/** Allowed distance from the expected count, in steps of scatter. */
const limits: Readonly<Record<AnomalySensitivity, number>> = { Low: 5, Medium: 4, High: 3 };
/** Maximum number of points per detection: limits time and memory of one run. */
export const pointsMax = 2_500;
export const newestPoints = 250;

const weekDays = 7;
/** Minimum number of earlier holidays for a band of holidays. */
const holidaysMin = 3;

/** Smallest multiple of the allowed distance, per severity. */
const severities: readonly (readonly [number, AnomalySeverity])[] = [
  [4, 'Critical'],
  [2.5, 'High'],
  [1.5, 'Medium'],
];

export type Watched = {
  readonly watch: AnomalyWatch;
  /** Time zone of the schedule. Hours and days are local to it. */
  readonly timeZone: string;
  /** Earlier runs, oldest first. */
  readonly history: readonly Point[];
  /** Holidays as local dates, e.g. `2026-12-25`. */
  readonly holidays?: ReadonlySet<string>;
};

type Run = { readonly dueAt: Date; readonly count: number };

/**
 * Returns the assessment of a run's count.
 *
 * @returns undefined if there are too few runs, or none on this weekday or near this hour.
 */
export function detect(run: Run, { watch, timeZone, history, holidays }: Watched): Assessment | undefined {
  const wallOf = wallClockOf(timeZone);
  const isHoliday = ({ date }: WallTime): boolean => holidays?.has(date) === true;
  const learnt = baselineOf(thinned(history, pointsMax, newestPoints), wallOf);
  const points = learnt.filter((point) => !isHoliday(point.wall));
  if (points.length < watch.minimumDataPoints) return undefined;
  const wall = wallOf(run.dueAt);
  if (watch.method === 'Robust' && !isTimeKnown(wall, points)) return undefined;
  const ordinary =
    watch.method === 'Robust' ? byScatter(run, watch, wall, points) : byShare(run, watch, points);
  const earlierHolidays = learnt.filter((point) => isHoliday(point.wall) && point.wall.hour === wall.hour);
  const band = isHoliday(wall) ? onHoliday(run, ordinary, earlierHolidays) : ordinary;
  const direction = run.count > band.centre ? 'Up' : 'Down';
  const isWanted = watch.directions === 'Both' || watch.directions === direction;
  const isWorthIt = Math.max(run.count, band.centre) >= watch.floor;
  const lower = Math.max(Math.ceil(band.lower), 0);
  const upper = Math.max(Math.floor(band.upper), lower);
  return {
    flagged: band.excess > 1 && isWanted && isWorthIt ? direction : null,
    lower,
    upper,
    severity: severities.find(([times]) => band.excess >= times)?.[1] ?? 'Low',
    explanation: explain(run.count, { lower, upper }, band, wall),
  };
}

/** Band of a count, and its distance from the band. */
type Found = {
  readonly centre: number;
  readonly lower: number;
  readonly upper: number;
  /** Distance divided by the allowed distance. Above 1 the count is unusual. */
  readonly excess: number;
  readonly expectation: Expectation | { readonly from: 'Share'; readonly pointCount: number };
  /** Number of earlier holidays that the band includes. Absent on an ordinary day. */
  readonly holidayCount?: number;
};

/**
 * Returns true if earlier days have a run on this weekday and within an hour of this time.
 *
 * After a week of runs every time counts as known, because a manual run may be due at any time.
 */
function isTimeKnown(wall: WallTime, points: readonly Learnt[]): boolean {
  const earlier = points.filter((point) => point.wall.dayNumber < wall.dayNumber);
  if (wall.dayNumber - (earlier[0]?.wall.dayNumber ?? wall.dayNumber) > weekDays) return true;
  const isNear = ({ wall: { hour } }: Learnt): boolean => (hour - wall.hour + 25) % 24 <= 2;
  return earlier.some((point) => point.wall.weekday === wall.weekday) && earlier.some(isNear);
}

function byScatter(run: Run, watch: AnomalyWatch, wall: WallTime, points: readonly Learnt[]): Found {
  const expectation = expectationAt(run.dueAt, wall, points);
  const { centre, scatter, pointCount, distances } = expectation;
  // With few points, centre and scatter are uncertain: the band is wider the fewer points there are.
  const widening = Math.sqrt(1 + 1 / pointCount) * (1 + 2 / (pointCount + commonScatterPoints));
  const least = limits[watch.sensitivity];
  const allowed = (side: 1 | -1): number =>
    scatter * widening * Math.max(least, usualExtreme(distances, side));
  const [below, above] = [allowed(-1), allowed(1)];
  const distance = steady(run.count) - centre;
  return {
    centre: countOf(centre),
    lower: countOf(centre - below),
    upper: countOf(centre + above),
    excess: distance < 0 ? -distance / below : distance / above,
    expectation,
  };
}

/**
 * Widens the band of an ordinary day to include holidays.
 *
 * With too few earlier holidays any count down to zero is allowed.
 */
function onHoliday(run: Run, ordinary: Found, earlier: readonly Learnt[]): Found {
  const counts = earlier.map(({ count }) => steady(count));
  const allowed = steady(ordinary.upper) - steady(ordinary.centre);
  const lowest = earlier.length < holidaysMin ? 0 : countOf(Math.min(...counts) - allowed);
  const lower = Math.min(ordinary.lower, lowest);
  const upper = Math.max(ordinary.upper, countOf(Math.max(0, ...counts) + (counts.length > 0 ? allowed : 0)));
  const isWithin = run.count >= Math.ceil(lower) && run.count <= Math.floor(upper);
  const excess = isWithin ? Math.min(ordinary.excess, 1) : ordinary.excess;
  return { ...ordinary, lower, upper, excess, holidayCount: earlier.length };
}

function byShare(run: Run, watch: AnomalyWatch, points: readonly Learnt[]): Found {
  const centre = median(points.map(({ count }) => count));
  const allowed = (centre * watch.percent) / 100;
  const distance = Math.abs(run.count - centre);
  return {
    centre,
    lower: centre - allowed,
    upper: centre + allowed,
    // The expected share is zero: any other count is unusual.
    excess: distance === 0 ? 0 : allowed === 0 ? Number.POSITIVE_INFINITY : distance / allowed,
    expectation: { from: 'Share', pointCount: points.length },
  };
}
