const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const dayMs = 86_400_000;

/** Local date and time in a time zone. */
export type WallTime = {
  readonly weekday: (typeof weekdays)[number];
  readonly hour: number;
  readonly minute: number;
  /** Day of the month, from 1. */
  readonly day: number;
  readonly isLastDay: boolean;
  /** Calendar date, e.g. `2026-12-25`. */
  readonly date: string;
  /** Calendar days since 1970-01-01. */
  readonly dayNumber: number;
};

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** Returns the offset of a zone from UTC at a time, in milliseconds. */
function offsetMsAt(format: Intl.DateTimeFormat, atMs: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(atMs)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1_000) * 1_000;
}

/**
 * Returns a function that computes the local time of a zone.
 *
 * It computes the zone's offset at most twice per UTC day, so that thousands of points cost little.
 *
 * @throws RangeError for an unknown zone.
 */
export function wallClockOf(timeZone: string): (at: Date) => WallTime {
  const format = formatOf(timeZone);
  const offsets = new Map<number, number>();
  const offsetAtMidnight = (utcDay: number): number => {
    const cached = offsets.get(utcDay);
    if (cached !== undefined) return cached;
    const offset = offsetMsAt(format, utcDay * dayMs);
    offsets.set(utcDay, offset);
    return offset;
  };
  return (at) => {
    const utcDay = Math.floor(at.getTime() / dayMs);
    const offset = offsetAtMidnight(utcDay);
    const isChangeDay = offset !== offsetAtMidnight(utcDay + 1);
    return wallTimeOf(at.getTime() + (isChangeDay ? offsetMsAt(format, at.getTime()) : offset));
  };
}

function wallTimeOf(localMs: number): WallTime {
  const local = new Date(localMs);
  return {
    weekday: weekdays[local.getUTCDay()] ?? weekdays[0],
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    day: local.getUTCDate(),
    isLastDay: new Date(localMs + dayMs).getUTCDate() === 1,
    date: local.toISOString().slice(0, 10),
    dayNumber: Math.floor(localMs / dayMs),
  };
}

/** Groupings of points by a repeating time, coarse ones first. */
export const groupings = {
  Hour: ({ hour }: WallTime) => `${hour}`,
  Weekday: ({ weekday }: WallTime) => weekday,
  WeekdayAndHour: ({ weekday, hour }: WallTime) => `${weekday} ${hour}`,
} as const;
export type Grouping = keyof typeof groupings;

/** Days of the month that can have a separate level, in addition to the grouping. */
export const monthDays = {
  LastDayOfMonth: ({ isLastDay }: WallTime) => (isLastDay ? 'last' : undefined),
  DayOfMonth: ({ day }: WallTime) => `${day}`,
} as const;
export type MonthDay = keyof typeof monthDays;
