import { Cron, type CronPattern } from 'croner';

const daySeconds = 86_400;
const leapYearStart = new Date('2024-01-01T00:00:00Z');
/** End of the range that covers one leap year and one common year: all distances between dates. */
const datesRepeat = new Date('2026-01-31T00:00:00Z');
/** End of the range of 28 years, after which combinations of dates and weekdays repeat. */
const calendarRepeats = new Date('2052-12-31T00:00:00Z');

/** Returns the positions of set flags. */
export function positionsOf(flags: readonly number[]): number[] {
  return flags.flatMap((flag, position) => (flag ? [position] : []));
}

/** Returns the smallest difference between adjacent values of a sorted list. */
function smallestStep(sorted: readonly number[]): number {
  let smallest = Infinity;
  for (let at = 1; at < sorted.length; at += 1) {
    smallest = Math.min(smallest, (sorted[at] ?? 0) - (sorted[at - 1] ?? 0));
  }
  return smallest;
}

/** Returns the smallest number of days between two due days of the pattern, in UTC. */
function smallestDayStep(dayFields: readonly string[]): number {
  const fires = new Cron(`0 0 ${dayFields.join(' ')}`, { paused: true, timezone: 'UTC' });
  const [dates = '*', , weekdays = '*'] = dayFields;
  const hasBoth = !/^[*?]$/.test(dates) && !/^[*?]$/.test(weekdays);
  const end = hasBoth || /[#LW]/i.test(dates + weekdays) ? calendarRepeats : datesRepeat;
  let smallest = Infinity;
  let earlier: Date | null = null;
  let day = fires.nextRun(new Date(leapYearStart.getTime() - 1));
  while (day !== null && smallest > 1) {
    if (earlier !== null)
      smallest = Math.min(smallest, (day.getTime() - earlier.getTime()) / 1000 / daySeconds);
    if (day > end && smallest < Infinity) break;
    earlier = day;
    day = fires.nextRun(day);
  }
  return smallest;
}

/** Returns the shortest time in seconds between two due times of a pattern, in local time. */
export function minimumIntervalSeconds(pattern: CronPattern, parts: readonly string[]): number {
  const seconds = positionsOf(pattern.second);
  const minutes = positionsOf(pattern.minute);
  const hours = positionsOf(pattern.hour);
  const first = (hours[0] ?? 0) * 3600 + (minutes[0] ?? 0) * 60 + (seconds[0] ?? 0);
  const last = (hours.at(-1) ?? 0) * 3600 + (minutes.at(-1) ?? 0) * 60 + (seconds.at(-1) ?? 0);
  const span = (list: readonly number[]) => (list.at(-1) ?? 0) - (list[0] ?? 0);
  // Intervals within a minute, across a minute, across an hour, and across midnight.
  return Math.min(
    smallestStep(seconds),
    smallestStep(minutes) * 60 - span(seconds),
    smallestStep(hours) * 3600 - span(minutes) * 60 - span(seconds),
    smallestDayStep(parts.slice(-3)) * daySeconds - (last - first),
  );
}
