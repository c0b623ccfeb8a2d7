/** Returns the shortest interval between due times, in ms. Null for fewer than two. */
export function shortestIntervalMs(dueTimes: readonly string[]): number | null {
  const times = dueTimes.map((time) => new Date(time).getTime());
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  return gaps.length === 0 ? null : Math.min(...gaps);
}

/** Returns the median of the durations, in ms. Null if no duration is known. */
export function usualDurationMs(durations: readonly (number | null)[]): number | null {
  const sorted = durations.filter((duration) => duration !== null).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Returns true if runs usually take longer than their interval, so that due times overlap. */
export const overlaps = (durationMs: number | null, intervalMs: number | null): boolean =>
  durationMs !== null && intervalMs !== null && durationMs > intervalMs;
