import type { Expectation } from './expect.ts';

/** A distance that is reached once per this many days is not an anomaly. */
const daysPerEpisode = 30;
const episodesMin = 2;
/** A count must exceed earlier distances by this factor. */
const margin = 1.1;

/**
 * Returns the distance that earlier counts have reached more than once a month on a side, with a margin.
 *
 * Distances on consecutive days are one episode: a lasting incident does not prove that incidents are frequent.
 */
export function usualExtreme(distances: Expectation['distances'], side: 1 | -1): number {
  const first = distances[0]?.wall.dayNumber ?? 0;
  const spanDays = (distances.at(-1)?.wall.dayNumber ?? first) - first;
  const rank = Math.max(episodesMin, Math.round(spanDays / daysPerEpisode));
  const furthest = new Map<number, number>();
  for (const { wall, steps } of distances) {
    const reached = steps * side;
    if (reached > (furthest.get(wall.dayNumber) ?? 0)) furthest.set(wall.dayNumber, reached);
  }
  const taken = new Set<number>();
  const episodes: number[] = [];
  for (const [day, reached] of [...furthest].toSorted(([, a], [, b]) => b - a)) {
    const isNew = !taken.has(day - 1) && !taken.has(day + 1);
    taken.add(day);
    if (isNew) episodes.push(reached);
    if (episodes.length === rank) break;
  }
  return episodes.length < rank ? 0 : (episodes.at(-1) ?? 0) * margin;
}
