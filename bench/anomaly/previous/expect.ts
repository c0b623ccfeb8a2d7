import type { Point } from '../../../packages/server/src/domains/anomalies/index.ts';
import { type Grouping, groupings, type WallTime, wallTime } from './slots.ts';
import { median, medianAbsolute, theilSen } from './statistics.ts';

/** A count with the times that say what it is like. */
type Placed = { readonly dueAt: Date; readonly y: number; readonly wall: WallTime };

/** What a count is expected to be, on the scale of `steady`, and what that was learnt from. */
export type Expectation = {
  readonly centre: number;
  /** What one step of ordinary scatter is. */
  readonly scatter: number;
  readonly from: Grouping | 'Trend' | 'Level';
  /** Points that the centre comes from. */
  readonly pointCount: number;
  /** Those of them on which `from` rests: one slot's, or all. */
  readonly points: readonly { readonly wall: WallTime; readonly residual: number }[];
};

/** The scale on which counts scatter alike, however large they are (after Anscombe), and back. */
export const steady = (count: number): number => 2 * Math.sqrt(count + 3 / 8);
export const countOf = (y: number): number => (Math.max(y, 0) / 2) ** 2 - 3 / 8;

/** A slot of fewer points says little. */
const slotPointsMin = 4;
/** What a slot, and a trend, must leave of the scatter to be believed. */
const slotScatterMax = 0.7;
const trendScatterMax = 0.8;
const trendPointsMin = 14;
const trendPointsMax = 90;

/** The share of a normal distribution's deviation that the middle of absolute residuals is. */
const deviationsPerMad = 1.4826;
/** On the scale of `steady` the counts of independent events scatter by 1; less is luck. */
const scatterOf = (mad: number): number => Math.max(deviationsPerMad * mad, 1);

/** What a run at a time is expected to count, from the runs before it. */
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

/** The grouping that leaves least of the scatter, when it leaves little enough. */
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
    const found: Expectation = {
      ...{ centre, scatter: scatterOf(mad), from, pointCount: own.length },
      points: own.map((one) => ({ wall: one.wall, residual: one.y - centre })),
    };
    best = { mad, found };
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
  // Days from the run that is assessed: small numbers, whatever the year.
  const x = (one: Placed): number => (one.dueAt.getTime() - dueAt.getTime()) / dayMs;
  const line = theilSen(recent.map((one) => ({ x: x(one), y: one.y })));
  const points = recent.map((one) => ({ wall: one.wall, residual: one.y - line.at(x(one)) }));
  const mad = medianAbsolute(points.map(({ residual }) => residual));
  if (mad >= madMax) return undefined;
  return {
    ...{ centre: line.at(0), scatter: scatterOf(mad), from: 'Trend' },
    ...{ pointCount: recent.length, points },
  };
}
