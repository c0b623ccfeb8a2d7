import type { AnomalySensitivity, AnomalySeverity, AnomalyWatch } from '@svc/contract';
import { countOf, type Expectation, expectationAt, steady } from './expect.ts';
import { explain } from './explain.ts';
import type { Assessment, Point } from './point.ts';
import { wallTime } from './slots.ts';
import { median } from './statistics.ts';

/** Deviations from what is expected that are let pass. */
const limits: Readonly<Record<AnomalySensitivity, number>> = { Low: 5, Medium: 4, High: 3 };
/** So many in a row that were flagged the same way are no accident: the level is a new one. */
const newLevelPoints = 5;

/** By how many times the limit a count lies outside. */
const severities: readonly (readonly [number, AnomalySeverity])[] = [
  [4, 'Critical'],
  [2.5, 'High'],
  [1.5, 'Medium'],
];

export type Watched = {
  readonly watch: AnomalyWatch;
  /** Zone of the schedule: hours and days of the week are those of its clock. */
  readonly timeZone: string;
  /** The runs before, oldest first. */
  readonly history: readonly Point[];
};

/**
 * Says whether the count of a run is out of the ordinary.
 *
 * @returns undefined while too few runs have been to say.
 */
export function detect(run: { dueAt: Date; count: number }, watched: Watched): Assessment | undefined {
  const { watch, timeZone } = watched;
  const points = baselineOf(watched.history);
  if (points.length < watch.minimumDataPoints) return undefined;
  const found = watch.method === 'Robust' ? byScatter(run, watched, points) : byShare(run, watched, points);
  const direction = run.count > found.centre ? 'Up' : 'Down';
  const isWanted = watch.directions === 'Both' || watch.directions === direction;
  const isWorthIt = Math.max(run.count, found.centre) >= watch.floor;
  const lower = Math.max(Math.ceil(found.lower), 0);
  const upper = Math.max(Math.floor(found.upper), lower);
  return {
    flagged: found.excess > 1 && isWanted && isWorthIt ? direction : null,
    ...{ lower, upper },
    severity: severities.find(([times]) => found.excess >= times)?.[1] ?? 'Low',
    explanation: explain(run.count, { lower, upper }, found.expectation, wallTime(run.dueAt, timeZone)),
  };
}

/** How far outside a count lies: above 1 it is. */
type Found = {
  readonly centre: number;
  readonly lower: number;
  readonly upper: number;
  /** Distance by allowed distance. */
  readonly excess: number;
  readonly expectation: Expectation | { readonly from: 'Share'; readonly pointCount: number };
};

/** What was flagged does not teach what is ordinary, unless a person called it expected or it stayed. */
function baselineOf(history: readonly Point[]): Point[] {
  let stayed = 0;
  let way: Point['flagged'] = null;
  for (const { flagged, isExpected } of history.toReversed()) {
    if (flagged === null || isExpected || (way !== null && flagged !== way)) break;
    way = flagged;
    stayed += 1;
  }
  const from = stayed >= newLevelPoints ? history.length - stayed : history.length;
  return history.filter(({ flagged, isExpected }, at) => flagged === null || isExpected || at >= from);
}

function byScatter(
  run: { dueAt: Date; count: number },
  { watch, timeZone }: Watched,
  points: readonly Point[],
): Found {
  const expectation = expectationAt(run.dueAt, timeZone, points);
  const { centre, scatter, pointCount } = expectation;
  // Few points place the centre and the scatter badly: the band is the wider the fewer they are.
  const allowed = scatter * limits[watch.sensitivity] * Math.sqrt(1 + 1 / pointCount) * (1 + 2 / pointCount);
  const distance = steady(run.count) - centre;
  const excess = Math.abs(distance) / allowed;
  return {
    ...{ centre: countOf(centre), lower: countOf(centre - allowed), upper: countOf(centre + allowed) },
    ...{ expectation, excess: happenedBefore(distance, expectation) ? Math.min(excess, 1) : excess },
  };
}

/** Whether a level or a trend has had counts as far out, the same way, often enough for one more to be nothing new. */
function happenedBefore(distance: number, { from, points, pointCount }: Expectation): boolean {
  if (from !== 'Level' && from !== 'Trend') return false;
  const asFar = points.filter(({ residual }) =>
    distance > 0 ? residual >= distance : residual <= distance,
  ).length;
  return asFar >= Math.max(2, pointCount / 10);
}

function byShare(run: { count: number }, { watch }: Watched, points: readonly Point[]): Found {
  const centre = median(points.map(({ count }) => count));
  const allowed = (centre * watch.percent) / 100;
  const distance = Math.abs(run.count - centre);
  return {
    ...{ centre, lower: centre - allowed, upper: centre + allowed },
    // Of nothing any share is nothing: whatever comes then is out of the ordinary.
    excess: distance === 0 ? 0 : allowed === 0 ? Number.POSITIVE_INFINITY : distance / allowed,
    expectation: { from: 'Share', pointCount: points.length },
  };
}
