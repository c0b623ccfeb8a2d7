import type { AnomalySensitivity, AnomalyWatch } from '@svc/contract';
import type { Point } from '../../../packages/server/src/domains/anomalies/index.ts';
import { countOf, type Expectation, expectationAt, steady } from './expect.ts';

/** Deviations from what is expected that are let pass. */
const limits: Readonly<Record<AnomalySensitivity, number>> = { Low: 5, Medium: 4, High: 3 };
/** So many in a row that were flagged the same way are no accident: the level is a new one. */
const newLevelPoints = 5;

export type Watched = {
  readonly watch: AnomalyWatch;
  /** Zone of the schedule: hours and days of the week are those of its clock. */
  readonly timeZone: string;
  /** The runs before, oldest first. */
  readonly history: readonly Point[];
};

/** Direction in which the first released detector flags a count; the benchmark compares with it. */
export function detectAsBefore(run: { dueAt: Date; count: number }, watched: Watched): Point['flagged'] {
  const points = baselineOf(watched.history);
  if (points.length < watched.watch.minimumDataPoints) return null;
  const { excess, centre } = byScatter(run, watched, points);
  if (excess <= 1) return null;
  return run.count > centre ? 'Up' : 'Down';
}

type Found = { readonly centre: number; readonly excess: number };

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
    centre: countOf(centre),
    excess: happenedBefore(distance, expectation) ? Math.min(excess, 1) : excess,
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
