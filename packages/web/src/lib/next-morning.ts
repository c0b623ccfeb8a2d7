const minuteMs = 60_000;

type Parts = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly asUtcMs: number;
};

/** Returns the wall-clock time of a moment in a time zone. */
function wallClock(at: number, zone: string): Parts {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(new Date(at));
  const partOf = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [partOf('year'), partOf('month'), partOf('day')];
  return { year, month, day, asUtcMs: Date.UTC(year, month - 1, day, partOf('hour'), partOf('minute')) };
}

const offsetMs = (at: number, zone: string): number =>
  wallClock(at, zone).asUtcMs - Math.floor(at / minuteMs) * minuteMs;

/**
 * Returns the moment at which the clocks of a time zone show an hour of the next day.
 *
 * @param hour  Hour of the day, 0 to 23. No zone skips 9:00, which is what callers use.
 */
export function nextMorning(now: Date, zone: string, hour = 9): Date {
  const { year, month, day } = wallClock(now.getTime(), zone);
  const morning = Date.UTC(year, month - 1, day + 1, hour);
  // The guess may have the offset from the other side of a clock change. The second step corrects it.
  const guess = morning - offsetMs(morning, zone);
  return new Date(morning - offsetMs(guess, zone));
}
