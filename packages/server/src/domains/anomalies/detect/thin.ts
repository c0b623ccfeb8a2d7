/**
 * Returns at most `countMax` of the points, spread evenly, with the newest ones complete.
 *
 * @param newestCount  Number of points at the end that are all retained.
 */
export function thinned<T>(points: readonly T[], countMax: number, newestCount: number): readonly T[] {
  if (points.length <= countMax) return points;
  const newest = points.slice(-newestCount);
  const older = points.slice(0, -newestCount);
  const step = older.length / (countMax - newestCount);
  const spread = Array.from({ length: countMax - newestCount }, (_, at) => older[Math.floor(at * step)]);
  return [...spread.filter((point) => point !== undefined), ...newest];
}
