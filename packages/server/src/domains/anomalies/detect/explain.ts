import type { Expectation } from './expect.ts';
import type { WallTime } from './slots.ts';

type Source = Expectation | { readonly from: 'Share'; readonly pointCount: number };

const two = (value: number): string => String(value).padStart(2, '0');
const grouped = (value: number): string => value.toLocaleString('en-US');
const counted = (value: number, noun: string): string => `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`;

/** Source of a band. */
export type Learning = { readonly expectation: Source; readonly holidayCount?: number };

/** Returns a text such as "412 rows; 18 to 35 were expected, from 9 Mondays at 08:00." */
export function explain(
  count: number,
  { lower, upper }: { readonly lower: number; readonly upper: number },
  { expectation, holidayCount }: Learning,
  wall: WallTime,
): string {
  const band = lower === upper ? grouped(lower) : `${grouped(lower)} to ${grouped(upper)}`;
  return `${counted(count, 'row')}; ${band} ${lower === upper && lower === 1 ? 'was' : 'were'} expected${onHoliday(holidayCount)}, from ${learntFrom(expectation, wall)}${andHolidays(holidayCount)}.`;
}

const onHoliday = (holidayCount: number | undefined): string =>
  holidayCount === undefined ? '' : ' on a holiday';
const andHolidays = (holidayCount: number | undefined): string =>
  holidayCount === undefined || holidayCount === 0 ? '' : ` and ${counted(holidayCount, 'holiday run')}`;

function learntFrom(source: Source, wall: WallTime): string {
  const { from, pointCount } = source;
  switch (from) {
    case 'Weekday':
      return counted(pointCount, wall.weekday);
    case 'Hour':
      return `${counted(pointCount, 'run')} ${hourOf(source, wall)}`;
    case 'WeekdayAndHour':
      return `${counted(pointCount, wall.weekday)} ${hourOf(source, wall)}`;
    case 'LastDayOfMonth':
      return `${counted(pointCount, 'run')} on the last day of a month`;
    case 'DayOfMonth':
      return `${counted(pointCount, 'run')} on day ${wall.day} of a month`;
    case 'Trend':
      return `the trend of ${counted(pointCount, 'run')}`;
    case 'Recent':
      return `the newest ${counted(pointCount, 'run')}`;
    case 'Level':
    case 'Share':
      return counted(pointCount, 'run');
  }
}

/** Returns the time of day if all points have the same, otherwise the hour. */
function hourOf(source: Source, { hour, minute }: WallTime): string {
  const isOneMinute = 'walls' in source && source.walls.every((wall) => wall.minute === minute);
  return isOneMinute
    ? `at ${two(hour)}:${two(minute)}`
    : `between ${two(hour)}:00 and ${two((hour + 1) % 24)}:00`;
}
