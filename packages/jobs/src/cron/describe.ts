import type { CronPattern } from 'croner';
import { positionsOf } from './minimum-interval.ts';

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'last'];
/** Bits of all five occurrences in a month and the last: any such day. */
const anyOccurrence = 0b111111;
/** Maximum number of listed times of day. More times are described by their fields. */
const clockTimesMax = 6;
/** Minimum number of consecutive values that form a range. */
const rangeLengthMin = 3;
const mondayToFriday = '1,2,3,4,5';

/** Joins texts: `a`, `a and b`, `a, b and c`. */
function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Joins numbers; three or more consecutive numbers form a range: `1, 3 to 5 and 9`. */
function ranges(numbers: readonly number[], write: (value: number) => string = String): string {
  const items: string[] = [];
  let from = 0;
  while (from < numbers.length) {
    let to = from;
    while (numbers[to + 1] === (numbers[to] ?? 0) + 1) to += 1;
    const group = numbers.slice(from, to + 1);
    if (group.length >= rangeLengthMin) {
      items.push(`${write(group[0] ?? 0)} to ${write(group.at(-1) ?? 0)}`);
    } else {
      items.push(...group.map(write));
    }
    from = to + 1;
  }
  return list(items);
}

const named = (name: string, numbers: readonly number[]) =>
  `${numbers.length === 1 ? name : `${name}s`} ${ranges(numbers)}`;

/** Returns the step n of 0, n, 2n, … if n divides the size; else null. Such a step continues evenly into the next round. */
function evenStep(numbers: readonly number[], size: number): number | null {
  const step = size / numbers.length;
  return Number.isInteger(step) && numbers.every((value, at) => value === at * step) ? step : null;
}

const every = (step: number, unit: string) => (step === 1 ? `Every ${unit}` : `Every ${step} ${unit}s`);
const two = (value: number) => String(value).padStart(2, '0');

type Time = { readonly isClock: boolean; readonly words: string };

/** Describes the time of day: a list of times, or a frequency. */
function timeWords(seconds: readonly number[], minutes: readonly number[], hours: readonly number[]): Time {
  const isOnMinute = seconds.length === 1 && seconds[0] === 0;
  const isOnHour = isOnMinute && minutes.length === 1 && minutes[0] === 0;
  const hourStep = evenStep(hours, 24);
  if (isOnHour && hourStep !== null && hours.length > 2)
    return { isClock: false, words: every(hourStep, 'hour') };
  if (seconds.length * minutes.length * hours.length <= clockTimesMax) {
    const times = hours.flatMap((hour) =>
      minutes.flatMap((minute) =>
        seconds.map((second) => `${two(hour)}:${two(minute)}${isOnMinute ? '' : `:${two(second)}`}`),
      ),
    );
    return { isClock: true, words: list(times) };
  }
  return { isClock: false, words: frequencyWords(seconds, minutes, hours, isOnMinute) };
}

function frequencyWords(
  seconds: readonly number[],
  minutes: readonly number[],
  hours: readonly number[],
  isOnMinute: boolean,
): string {
  const minuteStep = evenStep(minutes, 60);
  const secondStep = evenStep(seconds, 60);
  const hourClause = hours.length === 24 ? null : named('hour', hours);
  const of = (...clauses: (string | null)[]) => clauses.filter((clause) => clause !== null).join(' of ');
  if (isOnMinute) {
    return minuteStep !== null && minutes.length > 1
      ? of(every(minuteStep, 'minute'), hourClause)
      : of(`At ${named('minute', minutes)}`, hourClause ?? 'every hour');
  }
  const isAnyMinute = minutes.length === 60;
  const minuteClause = isAnyMinute ? null : named('minute', minutes);
  const outer = isAnyMinute ? hourClause : (hourClause ?? 'every hour');
  return secondStep !== null && seconds.length > 1
    ? of(every(secondStep, 'second'), minuteClause, outer)
    : of(`At ${named('second', seconds)}`, minuteClause ?? 'every minute', outer);
}

/** Describes the days of the month. The caller prepends `on` to each entry. */
function monthDayWords(pattern: CronPattern): string[] {
  const days = positionsOf(pattern.day).map((position) => position + 1);
  return [
    ...(days.length > 0 ? [`${named('day', days)} of the month`] : []),
    ...(pattern.lastDayOfMonth ? ['the last day of the month'] : []),
    ...(pattern.lastWeekday ? ['the last weekday of the month'] : []),
    ...positionsOf(pattern.nearestWeekdays).map(
      (position) => `the weekday nearest to day ${position + 1} of the month`,
    ),
  ];
}

/** Returns the days of the week that fire in every week. */
const plainWeekdays = (pattern: CronPattern) =>
  // The pattern has an eighth position for Sunday as 7, which it never sets.
  positionsOf(pattern.dayOfWeek.slice(0, 7).map((bits) => Number(bits === anyOccurrence)));

function weekdayWords(pattern: CronPattern): string[] {
  const plain = plainWeekdays(pattern);
  const words = plain.length > 0 ? [`every ${eachOf(plainWeekdayWords(plain))}`] : [];
  for (const [day, bits] of pattern.dayOfWeek.slice(0, 7).entries()) {
    if (bits === anyOccurrence || bits === 0) continue;
    const which = ordinals.filter((_, position) => bits & (1 << position));
    words.push(`the ${list(which)} ${weekdayNames[day]} of the month`);
  }
  return words;
}

/** Returns the singular of `weekdays`; names of days do not change. */
const eachOf = (words: string): string => (words === 'weekdays' ? 'weekday' : words);

function plainWeekdayWords(days: readonly number[]): string {
  if (days.join() === mondayToFriday) return 'weekdays';
  // The week begins on Monday.
  const sorted = days.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  return list(sorted.map((day) => weekdayNames[day] ?? ''));
}

type Days =
  | { readonly kind: 'Any' }
  | { readonly kind: 'Weekdays'; readonly days: readonly number[] }
  | { readonly kind: 'Others'; readonly words: string };

/** Describes the days. When both day fields are restricted, one match is enough, so an unrestricted list means any day. */
function dayWords(pattern: CronPattern): Days {
  const isAnyMonthDay = positionsOf(pattern.day).length === 31;
  const plain = plainWeekdays(pattern);
  const isAnyWeekday = plain.length === 7;
  if (
    pattern.starDOM ? pattern.starDOW || isAnyWeekday : isAnyMonthDay || (!pattern.starDOW && isAnyWeekday)
  ) {
    return { kind: 'Any' };
  }
  const isEveryWeek = plain.length === positionsOf(pattern.dayOfWeek.slice(0, 7)).length;
  if (pattern.starDOM && isEveryWeek) return { kind: 'Weekdays', days: plain };
  const words = [
    ...(pattern.starDOM ? [] : monthDayWords(pattern)),
    ...(pattern.starDOW ? [] : weekdayWords(pattern)),
  ];
  return { kind: 'Others', words: words.map((word) => `on ${word}`).join(', and ') };
}

function clockWords(times: string, days: Days): string {
  if (days.kind === 'Any') return `Every day at ${times}`;
  if (days.kind === 'Others') return `At ${times}, ${days.words}`;
  const words = plainWeekdayWords(days.days);
  return `Every ${eachOf(words)} at ${times}`;
}

function frequencyOnDays(words: string, days: Days): string {
  if (days.kind === 'Any') return words;
  return `${words}, ${days.kind === 'Others' ? days.words : `on ${plainWeekdayWords(days.days)}`}`;
}

/**
 * Describes the due times of a pattern in English.
 *
 * Examples: `Every weekday at 08:00`, `Every 20 seconds`, `At 06:30, on the last day of the month, in March`.
 *
 * A step that does not divide its round evenly is described as a list. Every 7 minutes would be wrong at the end of the
 * hour.
 */
export function describePattern(pattern: CronPattern): string {
  const time = timeWords(positionsOf(pattern.second), positionsOf(pattern.minute), positionsOf(pattern.hour));
  const days = dayWords(pattern);
  const sentence = time.isClock ? clockWords(time.words, days) : frequencyOnDays(time.words, days);
  const months = positionsOf(pattern.month);
  return months.length === 12
    ? sentence
    : `${sentence}, in ${ranges(months, (month) => monthNames[month] ?? '')}`;
}
