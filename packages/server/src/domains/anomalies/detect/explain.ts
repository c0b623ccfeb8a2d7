import type { Expectation } from './expect.ts';
import type { WallTime } from './slots.ts';

type Source = Expectation | { readonly from: 'Share'; readonly pointCount: number };

const two = (value: number): string => String(value).padStart(2, '0');
const grouped = (value: number): string => value.toLocaleString('en-US');
const rows = (value: number): string => `${grouped(value)} ${value === 1 ? 'row' : 'rows'}`;

/** "412 rows; 18 to 35 were expected, from 9 Mondays at 08:00." */
export function explain(
  count: number,
  { lower, upper }: { readonly lower: number; readonly upper: number },
  source: Source,
  wall: WallTime,
): string {
  const band = lower === upper ? grouped(lower) : `${grouped(lower)} to ${grouped(upper)}`;
  return `${rows(count)}; ${band} ${lower === upper && lower === 1 ? 'was' : 'were'} expected, from ${learntFrom(source, wall)}.`;
}

function learntFrom(source: Source, wall: WallTime): string {
  const { from, pointCount } = source;
  switch (from) {
    case 'Weekday':
      return `${pointCount} ${wall.weekday}s`;
    case 'Hour':
      return `${pointCount} runs ${hourOf(source, wall)}`;
    case 'WeekdayAndHour':
      return `${pointCount} ${wall.weekday}s ${hourOf(source, wall)}`;
    case 'Trend':
      return `the trend of ${pointCount} runs`;
    case 'Level':
    case 'Share':
      return `${pointCount} runs`;
  }
}

/** The time of day when all were at it, else the hour that they were in. */
function hourOf(source: Source, { hour, minute }: WallTime): string {
  const isOneMinute = 'points' in source && source.points.every((point) => point.wall.minute === minute);
  return isOneMinute
    ? `at ${two(hour)}:${two(minute)}`
    : `between ${two(hour)}:00 and ${two((hour + 1) % 24)}:00`;
}
