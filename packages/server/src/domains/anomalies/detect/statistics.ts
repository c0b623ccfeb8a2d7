/** Returns the median of unsorted numbers. For an even count: the mean of the two middle numbers. */
export function median(values: readonly number[]): number {
  return medianOfSorted(values.toSorted((a, b) => a - b));
}

export function medianOfSorted(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Returns the median of absolute values. For residuals it measures their scatter. */
export const medianAbsolute = (residuals: readonly number[]): number => median(residuals.map(Math.abs));

export const meanAbsolute = (residuals: readonly number[]): number =>
  residuals.reduce((sum, residual) => sum + Math.abs(residual), 0) / Math.max(residuals.length, 1);

/** Returns distances of values from the median of the other values, in the order of the values. At least two values. */
export function leaveOneOutResiduals(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const sorted = order.map((index) => values[index] ?? 0);
  const residuals = new Array<number>(values.length);
  // The median of the others depends only on the side of the middle that the value is on.
  const middle = sorted.length >> 1;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  for (const [rank, index] of order.entries()) {
    const others =
      sorted.length % 2 === 0
        ? at(rank < middle ? middle : middle - 1)
        : (at(rank < middle ? middle : middle - 1) + at(rank <= middle ? middle + 1 : middle)) / 2;
    residuals[index] = at(rank) - others;
  }
  return residuals;
}

/** A straight line through points. */
export type Line = { readonly at: (x: number) => number };

/** Returns the Theil-Sen line: the median slope of all pairs, which is robust against outliers. */
export function theilSen(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const slopes: number[] = [];
  for (const [index, one] of points.entries())
    for (const other of points.slice(index + 1))
      if (other.x !== one.x) slopes.push((other.y - one.y) / (other.x - one.x));
  const slope = slopes.length === 0 ? 0 : median(slopes);
  const level = median(points.map(({ x, y }) => y - slope * x));
  return { at: (x) => level + slope * x };
}
