import { type Grouping, groupings, type MonthDay, monthDays, type WallTime } from './slots.ts';
import { leaveOneOutResiduals, meanAbsolute, median } from './statistics.ts';

export type Timed = {
  readonly wall: WallTime;
  readonly value: number;
  /** The value was flagged and is part of a new level or pattern. */
  readonly isNewLevel: boolean;
};

/** Levels of repeating times, relative to the overall level. */
export type Season<From> = {
  readonly from: From;
  readonly slotOf: (wall: WallTime) => string | undefined;
  /** Level of each slot. A slot without a separate level is missing. */
  readonly levels: ReadonlyMap<string, number>;
};

/** Number of newest points that determine the level of a slot. A limit lets a changed pattern replace the old one. */
const slotPointsMax = 12;
/** Consecutive points of new levels in one slot that restart the slot. */
const newPatternPoints = 3;
/** A grouping must leave at most this share of the leave-one-out error of a coarser one. */
const errorShareMax = 0.95;
/** A day of the month gets a separate level only if it leaves at most this share of the error of its points. */
const monthErrorShareMax = 0.5;

/** Returns the grouping that predicts left-out points best. Undefined if one level predicts them as well. */
export function weeklySeason(points: readonly Timed[]): Season<Grouping> | undefined {
  const all = median(points.map(({ value }) => value));
  let best: Season<Grouping> | undefined;
  let bestShare = 1;
  for (const from of ['Hour', 'Weekday', 'WeekdayAndHour'] as const) {
    const slotOf = groupings[from];
    const slots = [...Map.groupBy(points, ({ wall }) => slotOf(wall))].map(
      ([name, slot]) => [name, currentOf(slot)] as const,
    );
    if (slots.length < 2) continue;
    const share = errorShare(
      slots.map(([, slot]) => slot),
      all,
    );
    if (share > bestShare * errorShareMax) continue;
    bestShare = share;
    best = { from, slotOf, levels: levelsOf(slots) };
  }
  return best;
}

/** Returns the leave-one-out error of slots as a share of the error of one level. */
function errorShare(slots: readonly (readonly Timed[])[], all: number): number {
  const residuals = slots.flatMap((slot) => {
    const values = slot.map(({ value }) => value);
    // Points of one day do not prove a repeating level: only the overall level predicts them.
    return daysOf(slot) < 2 ? values.map((value) => value - all) : leaveOneOutResiduals(values);
  });
  const error = meanAbsolute(slots.flat().map(({ value }) => value - all));
  return error === 0 ? 1 : meanAbsolute(residuals) / error;
}

/** Returns the days of the month with a separate level, if left-out points confirm it. */
export function monthlySeason(residuals: readonly Timed[], scatter: number): Season<MonthDay> | undefined {
  for (const from of ['LastDayOfMonth', 'DayOfMonth'] as const) {
    const slotOf = monthDays[from];
    const slots = [...Map.groupBy(residuals, ({ wall }) => slotOf(wall))].flatMap(([name, slot]) => {
      const isConfirmed = name !== undefined && isOwnLevel(slot, scatter);
      return isConfirmed ? [[name, slot] as const] : [];
    });
    if (slots.length > 0) return { from, slotOf, levels: levelsOf(slots) };
  }
  return undefined;
}

const daysOf = (slot: readonly Timed[]): number => new Set(slot.map(({ wall }) => wall.dayNumber)).size;

function isOwnLevel(slot: readonly Timed[], scatter: number): boolean {
  const values = slot.map(({ value }) => value);
  const months = new Set(slot.map(({ wall }) => wall.date.slice(0, 7)));
  if (months.size < 2 || Math.abs(median(values)) < 2 * scatter) return false;
  return meanAbsolute(leaveOneOutResiduals(values)) <= meanAbsolute(values) * monthErrorShareMax;
}

function levelsOf(slots: readonly (readonly [string, readonly Timed[]])[]): Map<string, number> {
  return new Map(
    slots.map(([name, slot]) => [
      name,
      median(
        currentOf(slot)
          .slice(-slotPointsMax)
          .map(({ value }) => value),
      ),
    ]),
  );
}

/** Returns the points of a slot since its latest new pattern, or all points. */
export function currentOf(slot: readonly Timed[]): readonly Timed[] {
  let start = 0;
  let streak = 0;
  for (const [at, { isNewLevel }] of slot.entries()) {
    streak = isNewLevel ? streak + 1 : 0;
    if (streak === newPatternPoints) start = at - newPatternPoints + 1;
  }
  return slot.slice(start);
}

/** Returns the level of a time's slot, or 0 if it has no separate level. */
export function levelAt(season: Season<unknown> | undefined, wall: WallTime): number {
  const slot = season?.slotOf(wall);
  return (slot === undefined ? undefined : season?.levels.get(slot)) ?? 0;
}
