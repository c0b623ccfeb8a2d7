import type { Learnt } from './baseline.ts';
import { type Level, levelOf } from './level.ts';
import { runningMean } from './running-mean.ts';
import { currentOf, levelAt, monthlySeason, type Season, type Timed, weeklySeason } from './season.ts';
import type { Grouping, MonthDay, WallTime } from './slots.ts';
import { medianAbsolute } from './statistics.ts';

/** Expected count on the scale of `steady`, with the source of the expectation. */
export type Expectation = {
  readonly centre: number;
  /** One step of ordinary scatter at this time. */
  readonly scatter: number;
  readonly from: Grouping | MonthDay | Level['from'];
  /** Number of points that determine the centre: those of one slot, or all. */
  readonly pointCount: number;
  /** Times of those points. */
  readonly walls: readonly WallTime[];
  /** Distances of points from their expectation, in steps of their scatter. Excludes new levels. */
  readonly distances: readonly { readonly wall: WallTime; readonly steps: number }[];
};

/** Anscombe transform and its inverse: on this scale the scatter of counts does not depend on their size. */
export const steady = (count: number): number => 2 * Math.sqrt(count + 3 / 8);
export const countOf = (y: number): number => (Math.max(y, 0) / 2) ** 2 - 3 / 8;

const dayMs = 86_400_000;
/** Standard deviation of a normal distribution, in median absolute deviations. */
const deviationsPerMad = 1.4826;
/** Scatter of the counts of independent events, on the scale of `steady`. */
const eventScatter = 1;
/** Smallest scatter of all points: sums of measurements scatter by less than counts of events. */
const scatterMin = 0.5;
/** Weight of the overall scatter in the scatter of a slot, in points. */
export const commonScatterPoints = 3;
/** Number of newest points of a slot that determine its scatter. */
const slotScatterPoints = 24;
const detrendDays = 7;
const detrendPointsMin = 7;

/** Returns the expected count of a run, from the runs before it. */
export function expectationAt(dueAt: Date, wall: WallTime, points: readonly Learnt[]): Expectation {
  const dayOf = (at: Date): number => at.getTime() / dayMs;
  const values = points.map(({ dueAt: at, count }) => ({ day: dayOf(at), value: steady(count) }));
  const base = runningMean(values, detrendDays, detrendPointsMin);
  const weekly = weeklySeason(
    points.map((point, at) => ({ ...point, value: (values[at]?.value ?? 0) - (base[at] ?? 0) })),
  );
  const level = levelOf(
    values.map(({ day, value }, at) => ({ day, value: value - levelAt(weekly, points[at]?.wall ?? wall) })),
    dayOf(dueAt),
  );
  const afterLevel = points.map((point, at) => ({ ...point, value: level.residuals[at] ?? 0 }));
  const monthly = monthlySeason(afterLevel, scatterOf(afterLevel, eventScatter));
  const residuals = currentResiduals(
    afterLevel.map((one) => ({ ...one, value: one.value - levelAt(monthly, one.wall) })),
    weekly,
  );
  const scatterAt = scatterBySlot(residuals, weekly);
  return {
    // A falling trend must not lead below zero rows.
    centre: Math.max(level.next + levelAt(weekly, wall) + levelAt(monthly, wall), steady(0)),
    scatter: scatterAt(wall),
    ...sourceAt(wall, points, level, weekly, monthly),
    distances: residuals
      .filter(({ isNewLevel }) => !isNewLevel)
      .map((one) => ({ wall: one.wall, steps: one.value / scatterAt(one.wall) })),
  };
}

/** Distance of a count from its level. */
type Residual = Timed & { readonly count: number };

const scatterOf = (residuals: readonly Timed[], least: number): number =>
  Math.max(deviationsPerMad * medianAbsolute(residuals.map(({ value }) => value)), least);

/** Returns the points that a changed weekly pattern has not outdated, in their order. */
function currentResiduals(
  residuals: readonly Residual[],
  season: Season<Grouping> | undefined,
): readonly Residual[] {
  if (!season) return residuals;
  const slots = Map.groupBy(residuals, ({ wall }) => season.slotOf(wall));
  const current = new Set([...slots.values()].flatMap(currentOf));
  return residuals.filter((one) => current.has(one));
}

/** Returns the scatter of each slot. A slot with few points is weighted towards the overall scatter. */
function scatterBySlot(
  residuals: readonly Residual[],
  season: Season<Grouping> | undefined,
): (wall: WallTime) => number {
  // Times without rows do not indicate the scatter of counts.
  const withRows = residuals.filter(({ count }) => count > 0);
  const least = Math.min(scatterOf(withRows, scatterMin), eventScatter);
  const common = scatterOf(residuals, least);
  if (!season) return () => common;
  const slots = Map.groupBy(residuals, ({ wall }) => season.slotOf(wall));
  const scatters = new Map(
    [...slots].map(([name, slot]) => {
      const newest = slot.slice(-slotScatterPoints);
      const weighted = newest.length * scatterOf(newest, least) ** 2 + commonScatterPoints * common ** 2;
      return [name, Math.sqrt(weighted / (newest.length + commonScatterPoints))];
    }),
  );
  return (wall) => scatters.get(season.slotOf(wall)) ?? common;
}

/** Returns the main source of the centre: a day of the month, a slot, or the level. */
function sourceAt(
  wall: WallTime,
  points: readonly Learnt[],
  level: Level,
  ...seasons: readonly (Season<Grouping | MonthDay> | undefined)[]
): Pick<Expectation, 'from' | 'pointCount' | 'walls'> {
  for (const season of seasons.toReversed()) {
    const slot = season?.slotOf(wall);
    if (season === undefined || slot === undefined || !season.levels.has(slot)) continue;
    const walls = points.map((point) => point.wall).filter((other) => season.slotOf(other) === slot);
    return { from: season.from, pointCount: walls.length, walls };
  }
  return { from: level.from, pointCount: level.pointCount, walls: points.map((point) => point.wall) };
}
