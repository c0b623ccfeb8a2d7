import { type Grouping, groupings, type MonthDay, monthDays, type WallTime } from './slots.ts';
import { leaveOneOutResiduals, meanAbsolute, median } from './statistics.ts';

export type Timed = {
  readonly wall: WallTime;
  readonly value: number;
  /** The value was flagged and is part of a new level or pattern. */
  readonly isNewLevel: boolean;
};

/** Levels of repeating times, relative to the level of all. */
export type Season<From> = {
  readonly from: From;
  readonly slotOf: (wall: WallTime) => string | undefined;
  /** Level of a slot; undefined for a slot without a level of its own. */
  readonly levels: ReadonlyMap<string, number>;
};

/** The newest points of a slot, which its level comes from: a changed pattern is learnt while old points remain. */
const slotPointsMax = 12;
/** Points of new levels in a row in one slot that begin the slot anew. */
const newPatternPoints = 3;
/** A grouping must leave at most this share of the leave-one-out error of a coarser one. */
const errorShareMax = 0.95;
/** A day of the month gets a level of its own where that leaves at most this share of its points' error. */
const monthErrorShareMax = 0.5;

/** Returns the grouping whose slots predict left-out points best; undefined where one level predicts them as well. */
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

/** The leave-one-out error that slots leave, as a share of the error of one level. */
function errorShare(slots: readonly (readonly Timed[])[], all: number): number {
  const residuals = slots.flatMap((slot) => {
    const values = slot.map(({ value }) => value);
    // Points of one day do not show that a level repeats: only the level of all predicts them.
    return daysOf(slot) < 2 ? values.map((value) => value - all) : leaveOneOutResiduals(values);
  });
  const error = meanAbsolute(slots.flat().map(({ value }) => value - all));
  return error === 0 ? 1 : meanAbsolute(residuals) / error;
}

/** Returns the days of the month with a level of their own, as far as left-out points confirm it. */
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

/** The newest part of a slot: the points since its latest new pattern, or all where it has none. */
export function currentOf(slot: readonly Timed[]): readonly Timed[] {
  let start = 0;
  let streak = 0;
  for (const [at, { isNewLevel }] of slot.entries()) {
    streak = isNewLevel ? streak + 1 : 0;
    if (streak === newPatternPoints) start = at - newPatternPoints + 1;
  }
  return slot.slice(start);
}

/** The level of a time's slot; 0 where it has none of its own. */
export function levelAt(season: Season<unknown> | undefined, wall: WallTime): number {
  const slot = season?.slotOf(wall);
  return (slot === undefined ? undefined : season?.levels.get(slot)) ?? 0;
}
