import type { AnomalySensitivity, AnomalyWatch } from '@svc/contract';
import type { Point } from '../../../packages/server/src/domains/anomalies/index.ts';
import { countOf, type Expectation, expectationAt, steady } from './expect.ts';

/** Allowed distance from the expected count, in units of scatter. */
const limits: Readonly<Record<AnomalySensitivity, number>> = { Low: 5, Medium: 4, High: 3 };
/** After this number of consecutive flags in the same direction, the level counts as new. */
const newLevelPoints = 5;

export type Watched = {
  readonly watch: AnomalyWatch;
  /** Time zone of the schedule, for hours and days of the week. */
  readonly timeZone: string;
  /** Previous runs, oldest first. */
  readonly history: readonly Point[];
};

/** Returns the direction in which the first released detector flags a count. The benchmark compares with it. */
export function detectAsBefore(run: { dueAt: Date; count: number }, watched: Watched): Point['flagged'] {
  const points = baselineOf(watched.history);
  if (points.length < watched.watch.minimumDataPoints) return null;
  const { excess, centre } = byScatter(run, watched, points);
  if (excess <= 1) return null;
  return run.count > centre ? 'Up' : 'Down';
}

type Found = { readonly centre: number; readonly excess: number };

/** Returns the points without flagged ones, unless a user marked them as expected or they form a new level. */
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
  // The band is wider with few points, because they determine the centre and the scatter less precisely.
  const allowed = scatter * limits[watch.sensitivity] * Math.sqrt(1 + 1 / pointCount) * (1 + 2 / pointCount);
  const distance = steady(run.count) - centre;
  const excess = Math.abs(distance) / allowed;
  return {
    centre: countOf(centre),
    excess: happenedBefore(distance, expectation) ? Math.min(excess, 1) : excess,
  };
}

/** Returns true when a level or a trend often had counts as far out in the same direction. */
function happenedBefore(distance: number, { from, points, pointCount }: Expectation): boolean {
  if (from !== 'Level' && from !== 'Trend') return false;
  const asFar = points.filter(({ residual }) =>
    distance > 0 ? residual >= distance : residual <= distance,
  ).length;
  return asFar >= Math.max(2, pointCount / 10);
}
