import type { Point } from '../../../packages/server/src/domains/anomalies/index.ts';
import { type Grouping, groupings, type WallTime, wallTime } from './slots.ts';
import { median, medianAbsolute, theilSen } from './statistics.ts';

/** A count with its time and its local time. */
type Placed = { readonly dueAt: Date; readonly y: number; readonly wall: WallTime };

/** Expected count on the scale of `steady`, and its source. */
export type Expectation = {
  readonly centre: number;
  /** Size of one unit of ordinary scatter. */
  readonly scatter: number;
  readonly from: Grouping | 'Trend' | 'Level';
  /** Number of points behind the centre. */
  readonly pointCount: number;
  /** Points behind `from`: all points of one slot, or all points. */
  readonly points: readonly { readonly wall: WallTime; readonly residual: number }[];
};

/** Converts counts to a scale with constant scatter (after Anscombe), and back. */
export const steady = (count: number): number => 2 * Math.sqrt(count + 3 / 8);
export const countOf = (y: number): number => (Math.max(y, 0) / 2) ** 2 - 3 / 8;

/** Minimum number of points for a slot to be reliable. */
const slotPointsMin = 4;
/** Maximum share of the scatter that remains within a slot, or around a trend, for it to be accepted. */
const slotScatterMax = 0.7;
const trendScatterMax = 0.8;
const trendPointsMin = 14;
const trendPointsMax = 90;

/** Standard deviations of a normal distribution per median absolute residual. */
const deviationsPerMad = 1.4826;
/** On the scale of `steady`, independent events scatter by 1. A smaller value is chance. */
const scatterOf = (mad: number): number => Math.max(deviationsPerMad * mad, 1);

/** Returns the expected count of a run at a time, from the runs before it. */
export function expectationAt(dueAt: Date, timeZone: string, points: readonly Point[]): Expectation {
  const placed = points.map(({ dueAt: at, count }): Placed => {
    return { dueAt: at, y: steady(count), wall: wallTime(at, timeZone) };
  });
  const level = median(placed.map(({ y }) => y));
  const mad = medianAbsolute(placed.map(({ y }) => y - level));
  return (
    bestSlot(wallTime(dueAt, timeZone), placed, mad * slotScatterMax) ??
    trend(dueAt, placed, mad * trendScatterMax) ?? {
      centre: level,
      scatter: scatterOf(mad),
      from: 'Level',
      pointCount: placed.length,
      points: placed.map(({ wall, y }) => ({ wall, residual: y - level })),
    }
  );
}

/** Returns the grouping with the least remaining scatter, if that is below the maximum. */
function bestSlot(wall: WallTime, placed: readonly Placed[], madMax: number): Expectation | undefined {
  let best: { readonly mad: number; readonly found: Expectation } | undefined;
  for (const [from, slotOf] of Object.entries(groupings) as [Grouping, (typeof groupings)[Grouping]][]) {
    const slots = Map.groupBy(placed, (one) => slotOf(one.wall));
    const own = slots.get(slotOf(wall)) ?? [];
    if (own.length < slotPointsMin) continue;
    const full = [...slots.values()].filter((some) => some.length >= slotPointsMin);
    const mad = medianAbsolute(full.flatMap(residualsOf));
    if (mad >= madMax || (best !== undefined && mad >= best.mad)) continue;
    const centre = median(own.map(({ y }) => y));
    const expectation: Expectation = {
      centre,
      scatter: scatterOf(mad),
      from,
      pointCount: own.length,
      points: own.map((one) => ({ wall: one.wall, residual: one.y - centre })),
    };
    best = { mad, found: expectation };
  }
  return best?.found;
}

function residualsOf(slot: readonly Placed[]): number[] {
  const centre = median(slot.map(({ y }) => y));
  return slot.map(({ y }) => y - centre);
}

const dayMs = 86_400_000;

function trend(dueAt: Date, placed: readonly Placed[], madMax: number): Expectation | undefined {
  const recent = placed.slice(-trendPointsMax);
  if (recent.length < trendPointsMin) return undefined;
  // Days relative to the assessed run, so that the numbers stay small.
  const x = (one: Placed): number => (one.dueAt.getTime() - dueAt.getTime()) / dayMs;
  const line = theilSen(recent.map((one) => ({ x: x(one), y: one.y })));
  const points = recent.map((one) => ({ wall: one.wall, residual: one.y - line.at(x(one)) }));
  const mad = medianAbsolute(points.map(({ residual }) => residual));
  if (mad >= madMax) return undefined;
  return {
    centre: line.at(0),
    scatter: scatterOf(mad),
    from: 'Trend',
    pointCount: recent.length,
    points,
  };
}
