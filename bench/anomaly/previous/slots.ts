const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Local time of a zone. */
export type WallTime = { readonly weekday: string; readonly hour: number; readonly minute: number };

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for an unknown time zone. */
export function wallTime(at: Date, timeZone: string): WallTime {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    weekday: weekdays.find((name) => name === parts['weekday']) ?? weekdays[0],
    hour: Number(parts['hour']),
    minute: Number(parts['minute']),
  };
}

/** Groupings of similar points: by time of day, by day of the week, or by both. */
export const groupings = {
  Hour: ({ hour }: WallTime) => `${hour}`,
  Weekday: ({ weekday }: WallTime) => weekday,
  WeekdayAndHour: ({ weekday, hour }: WallTime) => `${weekday} ${hour}`,
} as const;
export type Grouping = keyof typeof groupings;
