import type { Point } from './point.ts';
import { groupings, monthDays, type WallTime } from './slots.ts';

/** A count that the expected count is learnt from. */
export type Learnt = {
  readonly dueAt: Date;
  readonly count: number;
  readonly wall: WallTime;
  /** The count was flagged and is a new level or pattern: it says nothing about how far single counts scatter. */
  readonly isNewLevel: boolean;
};

/** Flagged points in a row in one direction that make a new level. */
const newLevelPoints = 5;
/** Flagged points in a row at the same hour of the same weekday that make a new weekly pattern. */
const newWeeklyPoints = 3;
/** Flagged points in a row on the same day of the month that make a new monthly pattern. */
const newMonthlyPoints = 2;
/** Flagged episodes in one direction within these days that are the nature of the counts. */
const recurringEpisodes = 3;
const recurringDays = 45;
/** Flagged points less than this apart are one episode. */
const episodeGapDays = 2;
const dayMs = 86_400_000;

type Placed = { readonly point: Point; readonly wall: WallTime };

/**
 * Returns the counts that teach the expected count.
 *
 * A flagged count enters clipped to the band of its time, so that its size does not matter. It enters as it is
 * where a user called it expected, where it recurs, or where it became a new level or pattern.
 */
export function baselineOf(history: readonly Point[], wallOf: (at: Date) => WallTime): Learnt[] {
  const placed = history.map((point) => ({ point, wall: wallOf(point.dueAt) }));
  const lasting = lastingPoints(placed);
  const recurring = recurringPoints(history.filter((point) => !lasting.has(point)));
  return placed.flatMap(({ point, wall }) => {
    const isNewLevel = lasting.has(point);
    const count = isNewLevel || recurring.has(point) ? point.count : clipped(point);
    return count === undefined ? [] : [{ dueAt: point.dueAt, count, wall, isNewLevel }];
  });
}

const isOpen = ({ flagged, isExpected }: Point): boolean => flagged !== null && !isExpected;

/** Flagged points that are part of a new level, or of a new weekly or monthly pattern. */
function lastingPoints(placed: readonly Placed[]): Set<Point> {
  const weekly = Map.groupBy(placed, ({ wall }) => groupings.WeekdayAndHour(wall));
  const lastDays = placed.filter(({ wall }) => wall.isLastDay);
  const monthly = Map.groupBy(placed, ({ wall }) => monthDays.DayOfMonth(wall));
  return new Set([
    ...streaks(placed, newLevelPoints),
    ...[...weekly.values()].flatMap((slot) => streaks(slot, newWeeklyPoints)),
    ...[lastDays, ...monthly.values()].flatMap((slot) => streaks(slot, newMonthlyPoints)),
  ]);
}

/** Flagged points of streaks in one direction that are long enough. */
function streaks(placed: readonly Placed[], lengthMin: number): Point[] {
  const long: Point[] = [];
  let streak: Point[] = [];
  for (const { point } of placed) {
    if (!isOpen(point) || point.flagged !== streak[0]?.flagged) streak = [];
    if (isOpen(point)) streak.push(point);
    if (streak.length === lengthMin) long.push(...streak);
    else if (streak.length > lengthMin) long.push(point);
  }
  return long;
}

/** Flagged points whose direction was flagged several times within some weeks. */
function recurringPoints(history: readonly Point[]): Set<Point> {
  const recurring = new Set<Point>();
  for (const direction of ['Up', 'Down'] as const) {
    const episodes = episodesOf(history.filter((point) => isOpen(point) && point.flagged === direction));
    for (const [at, episode] of episodes.entries()) {
      const together = episodes.slice(Math.max(at - recurringEpisodes + 1, 0), at + 1);
      if (together.length < recurringEpisodes) continue;
      if (daysBetween(together[0]?.[0], episode[0]) > recurringDays) continue;
      for (const point of together.flat()) recurring.add(point);
    }
  }
  return recurring;
}

function episodesOf(flagged: readonly Point[]): Point[][] {
  const episodes: Point[][] = [];
  for (const point of flagged) {
    const current = episodes.at(-1);
    if (current && daysBetween(current.at(-1), point) < episodeGapDays) current.push(point);
    else episodes.push([point]);
  }
  return episodes;
}

const daysBetween = (from: Point | undefined, to: Point | undefined): number =>
  from && to ? (to.dueAt.getTime() - from.dueAt.getTime()) / dayMs : 0;

/** The count, within the band if it was flagged; undefined for a flagged count without a known band. */
function clipped(point: Point): number | undefined {
  if (!isOpen(point)) return point.count;
  const { lower, upper } = point;
  if (lower === null || lower === undefined || upper === null || upper === undefined) return undefined;
  return Math.min(Math.max(point.count, lower), upper);
}
