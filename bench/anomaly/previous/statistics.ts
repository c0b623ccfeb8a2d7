/** Returns the median; for an even count, the mean of the two middle numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Returns the median of absolute values. For residuals, this measures their scatter. */
export const medianAbsolute = (residuals: readonly number[]): number => median(residuals.map(Math.abs));

/** A straight line through points. */
export type Line = { readonly at: (x: number) => number };

/** Returns the Theil–Sen line: its slope is the median slope of all pairs, which is robust against outliers. */
export function theilSen(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const slopes: number[] = [];
  for (const [index, one] of points.entries())
    for (const other of points.slice(index + 1))
      if (other.x !== one.x) slopes.push((other.y - one.y) / (other.x - one.x));
  const slope = slopes.length === 0 ? 0 : median(slopes);
  const level = median(points.map(({ x, y }) => y - slope * x));
  return { at: (x) => level + slope * x };
}
