import type { Dated } from './level.ts';

/**
 * Returns for each value the mean of the values around it.
 *
 * A window at an end is moved inwards, so that each window covers whole weeks. A median would jump between the levels of
 * day and night. The values are clipped already, so that single ones do not move the mean far.
 *
 * @param values  In the order of their days.
 * @param days  Width of the window. It grows to `countMin` values if they are further apart.
 */
export function runningMean(values: readonly Dated[], days: number, countMin: number): number[] {
  const sums = [0];
  for (const { value } of values) sums.push((sums.at(-1) ?? 0) + value);
  const firstDay = values[0]?.day ?? 0;
  const lastDay = values.at(-1)?.day ?? 0;
  let from = 0;
  let to = 0;
  return values.map(({ day }, at) => {
    const start = Math.max(firstDay, Math.min(day - days / 2, lastDay - days));
    while ((values[from]?.day ?? start) < start) from += 1;
    while ((values[to]?.day ?? Number.POSITIVE_INFINITY) < start + days) to += 1;
    const [low, high] = to - from >= countMin ? [from, to] : nearest(at, countMin, values.length);
    return ((sums[high] ?? 0) - (sums[low] ?? 0)) / Math.max(high - low, 1);
  });
}

/** Returns a range of `count` indexes around one index, within all indexes. */
function nearest(at: number, count: number, length: number): [number, number] {
  const low = Math.max(0, Math.min(at - Math.floor(count / 2), length - count));
  return [low, Math.min(low + count, length)];
}
