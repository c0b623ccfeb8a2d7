import type { Point } from './point.ts';
import { groupings, monthDays, type WallTime } from './slots.ts';

/** A count that the baseline is computed from. */
export type Learnt = {
  readonly dueAt: Date;
  readonly count: number;
  readonly wall: WallTime;
  /** The count was flagged and is part of a new level or pattern. It does not indicate the scatter of single counts. */
  readonly isNewLevel: boolean;
};

/** Consecutive flagged points in one direction that form a new level. */
const newLevelPoints = 5;
/** Consecutive flagged points at the same hour of the same weekday that form a new weekly pattern. */
const newWeeklyPoints = 3;
/** Consecutive flagged points on the same day of the month that form a new monthly pattern. */
const newMonthlyPoints = 2;
/** Number of flagged episodes in one direction, within `recurringDays`, that count as normal behaviour. */
const recurringEpisodes = 3;
const recurringDays = 45;
/** Flagged points less than this many days apart are one episode. */
const episodeGapDays = 2;
const dayMs = 86_400_000;

type Placed = { readonly point: Point; readonly wall: WallTime };

/**
 * Returns the counts from which the expected count is computed.
 *
 * A flagged count is clipped to its band, so that its size does not matter. It is not clipped if a user marked it as
 * expected, if it recurs, or if it is part of a new level or pattern.
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

/** Returns flagged points that are part of a new level, or of a new weekly or monthly pattern. */
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

/** Returns the flagged points of long enough streaks in one direction. */
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

/** Returns flagged points whose direction was flagged several times within `recurringDays`. */
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

/** Returns the count, clipped to the band if it was flagged. Undefined for a flagged count without a band. */
function clipped(point: Point): number | undefined {
  if (!isOpen(point)) return point.count;
  const { lower, upper } = point;
  if (lower === null || lower === undefined || upper === null || upper === undefined) return undefined;
  return Math.min(Math.max(point.count, lower), upper);
}
