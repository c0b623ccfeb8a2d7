import { sortedWindow } from './sorted-window.ts';
import { meanAbsolute, median, theilSen } from './statistics.ts';

/** A value at a time, in days. */
export type Dated = { readonly day: number; readonly value: number };

/** The level of values over time: at a next time, and the distances of the values from it. */
export type Level = {
  readonly from: 'Level' | 'Trend' | 'Recent';
  readonly next: number;
  readonly residuals: readonly number[];
  /** Values that the next one is learnt from. */
  readonly pointCount: number;
};

/** Shares of the error of one level that a trend, and the newest values, may leave to be preferred. */
const trendErrorShareMax = 0.85;
const recentErrorShareMax = 0.9;
const trendPointsMin = 14;
const trendPointsMax = 90;
/** Numbers of newest values that are tried. */
const recentCounts = [3, 7] as const;

/** Returns the level that leaves least error: the median of all, a straight line, or the median of the newest. */
export function levelOf(values: readonly Dated[], nextDay: number): Level {
  const all = median(values.map(({ value }) => value));
  const level: Level = {
    from: 'Level',
    next: all,
    residuals: values.map(({ value }) => value - all),
    pointCount: values.length,
  };
  const error = meanAbsolute(level.residuals);
  const rivals = [
    ...trendOf(values, nextDay).map((rival) => ({ rival, errorMax: error * trendErrorShareMax })),
    ...recentCounts
      .filter((count) => values.length >= 2 * count)
      .map((count) => ({ rival: recentOf(values, count), errorMax: error * recentErrorShareMax })),
  ];
  let best: { readonly level: Level; readonly error: number } = { level, error };
  for (const { rival, errorMax } of rivals) {
    const rivalError = meanAbsolute(rival.residuals);
    if (rivalError <= errorMax && rivalError < best.error) best = { level: rival, error: rivalError };
  }
  return best.level;
}

function trendOf(values: readonly Dated[], nextDay: number): Level[] {
  if (values.length < trendPointsMin) return [];
  const step = Math.max(1, values.length / trendPointsMax);
  const sampled = Array.from(
    { length: Math.floor(values.length / step) },
    (_, at) => values[Math.floor(at * step)],
  );
  // Days from the run that is assessed: small numbers, whatever the year.
  const line = theilSen(sampled.flatMap((one) => (one ? [{ x: one.day - nextDay, y: one.value }] : [])));
  return [
    {
      from: 'Trend',
      next: line.at(0),
      residuals: values.map(({ day, value }) => value - line.at(day - nextDay)),
      pointCount: values.length,
    },
  ];
}

function recentOf(values: readonly Dated[], count: number): Level {
  const newest = sortedWindow();
  const first = median(values.slice(0, count).map(({ value }) => value));
  const residuals = values.map(({ value }, index) => {
    // The first values have too few before them: one odd value would make distances of the next ones.
    const residual = value - (index < count ? first : newest.median());
    newest.add(value);
    const oldest = values[index - count];
    if (oldest) newest.remove(oldest.value);
    return residual;
  });
  return { from: 'Recent', next: newest.median(), residuals, pointCount: count };
}
