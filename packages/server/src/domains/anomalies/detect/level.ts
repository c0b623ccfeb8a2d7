import { sortedWindow } from './sorted-window.ts';
import { meanAbsolute, median, theilSen } from './statistics.ts';

/** A value at a time, in days. */
export type Dated = { readonly day: number; readonly value: number };

/** Level of values over time: its value at the next time, and the distances of the values from it. */
export type Level = {
  readonly from: 'Level' | 'Trend' | 'Recent';
  readonly next: number;
  readonly residuals: readonly number[];
  /** Number of values that determine the next one. */
  readonly pointCount: number;
};

/** A trend and the newest values are preferred only if their error is below this share of the error of one level. */
const trendErrorShareMax = 0.85;
const recentErrorShareMax = 0.9;
const trendPointsMin = 14;
const trendPointsMax = 90;
/** Numbers of newest values to try. */
const recentCounts = [3, 7] as const;

/** Returns the level with the least error: the median of all, a straight line, or the median of the newest. */
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
  // Days relative to the assessed run: small numbers are numerically stable.
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
    // The first values have too few predecessors: one outlier would distort the distances of the next values.
    const residual = value - (index < count ? first : newest.median());
    newest.add(value);
    const oldest = values[index - count];
    if (oldest) newest.remove(oldest.value);
    return residual;
  });
  return { from: 'Recent', next: newest.median(), residuals, pointCount: count };
}
