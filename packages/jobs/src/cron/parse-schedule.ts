import { Cron, CronPattern } from 'croner';
import { JobsError } from '../errors.ts';
import { describePattern } from './describe.ts';
import { minimumIntervalSeconds } from './minimum-interval.ts';

/** Valid cron expression in a time zone. */
export type ParsedSchedule = {
  /** Expression with single spaces between its fields. */
  readonly cron: string;
  readonly timeZone: string;
  /** Returns the next due times after `from` (default now), at most `count`; fewer when no more exist. */
  next(count: number, from?: Date): Date[];
  /** Returns the newest `countMax` due times from `from` to `until`, both inclusive, oldest first. */
  between(from: Date, until: Date, countMax: number): Date[];
  /** Shortest time between two due times in local time. A clock change may shorten an interval. */
  readonly minimumIntervalSeconds: number;
  /** Returns a description in English, computed from the same pattern that fires. */
  describe(): string;
};

type Field = { readonly name: string; readonly takes: string };

const fields: readonly Field[] = [
  { name: 'second', takes: '0 to 59' },
  { name: 'minute', takes: '0 to 59' },
  { name: 'hour', takes: '0 to 23' },
  {
    name: 'day of month',
    takes: '1 to 31, L for the last day, LW for the last weekday, 15W for the weekday nearest to the 15th',
  },
  { name: 'month', takes: '1 to 12 or JAN to DEC' },
  {
    name: 'day of week',
    takes: '0 to 7 (0 and 7 are Sunday) or SUN to SAT, 5#2 for the second Friday, 5L for the last Friday',
  },
];
const dayFields = [3, 5];
const expressionLengthMax = 200;

const cronOptions = { mode: '5-or-6-parts', paused: true, fixedTimeRule: 'no-wildcard' } as const;

/** Cache of parsed schedules, because each read of a list parses all schedules. Maximum size; the oldest entry is removed. */
const parsedMax = 1_000;
const parsed = new Map<string, ParsedSchedule>();

function refuse(message: string, cause?: unknown): never {
  throw new JobsError('InvalidSchedule', message, cause === undefined ? undefined : { cause });
}

/** Validates one field separately, so that an error can name it. */
function checkField(parts: readonly string[], position: number): void {
  const index = position + fields.length - parts.length;
  const field = fields[index];
  const part = parts[position];
  if (!field || part === undefined) return;
  try {
    // A question mark means any day in a day field and is an error in other fields.
    if (part.includes('?') && !(part === '?' && dayFields.includes(index))) throw new Error('unexpected ?');
    const alone = fields.map((_, at) => (at === index ? part : '*')).join(' ');
    new CronPattern(alone, undefined, cronOptions);
  } catch (error) {
    refuse(
      `The ${field.name} field of the cron expression is not valid: ${JSON.stringify(part)}. It takes ${field.takes}, * for any, lists (1,3), ranges (1-5) and steps (*/2).`,
      error,
    );
  }
}

function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    refuse(
      `The time zone ${JSON.stringify(timeZone)} is not known. Use a name such as Europe/Berlin or UTC.`,
      error,
    );
  }
}

/**
 * Parses a cron expression: five fields (minute, hour, day of month, month, day of week), or six with seconds first.
 * When both day fields are restricted, a match of either is enough.
 *
 * Clock changes: a schedule with fixed times (no `*` or step in seconds, minutes and hours) still fires once per day.
 * It fires at the first valid time after a gap, and at the first of two equal times. A schedule with `*` or steps
 * follows elapsed time: it skips due times in a gap and fires in both repeated hours.
 *
 * @throws JobsError `InvalidSchedule`, whose message names the invalid field.
 */
export function parseSchedule(cron: string, timeZone = 'UTC'): ParsedSchedule {
  const key = `${timeZone} ${cron}`;
  const cachedSchedule = parsed.get(key);
  if (cachedSchedule !== undefined) return cachedSchedule;
  const schedule = parse(cron, timeZone);
  const [oldest] = parsed.keys();
  if (parsed.size >= parsedMax && oldest !== undefined) parsed.delete(oldest);
  parsed.set(key, schedule);
  return schedule;
}

function parse(cron: string, timeZone: string): ParsedSchedule {
  if (cron.length > expressionLengthMax) {
    refuse(`A cron expression has at most ${expressionLengthMax} characters.`);
  }
  const parts = cron.trim().split(/\s+/);
  if (parts.length < 5 || parts.length > 6 || cron.trim() === '') {
    refuse(
      `A cron expression has five fields (minute, hour, day of month, month, day of week) or six (second first), not ${cron.trim() === '' ? 0 : parts.length}: ${JSON.stringify(cron)}.`,
    );
  }
  parts.forEach((_, position) => {
    checkField(parts, position);
  });
  checkTimeZone(timeZone);
  const expression = parts.join(' ');
  const pattern = new CronPattern(expression, timeZone, cronOptions);
  const fires = new Cron(expression, { ...cronOptions, timezone: timeZone });
  if (fires.nextRun(new Date(0)) === null) {
    refuse(`The cron expression never comes due: ${JSON.stringify(expression)}. No such day exists.`);
  }
  let interval: number | undefined;
  return {
    cron: expression,
    timeZone,
    next: (count, from = new Date()) => fires.nextRuns(count, from),
    between: (from, until, countMax) => dueBetween(fires, from, until, countMax),
    get minimumIntervalSeconds() {
      interval ??= minimumIntervalSeconds(pattern, parts);
      return interval;
    },
    describe: () => describePattern(pattern),
  };
}

/** Number of due times that the first backward search reads. Each further search multiplies it by the factor. */
const lookBackFirst = 4;
const lookBackFactor = 8;

/**
 * Returns a start time with at most about `countMax` due times until `until`, or `from` when fewer exist. Searches
 * backward in growing steps, because the cost is proportional to the due times read and most ranges contain few.
 */
function beginningOf(fires: Cron, from: Date, until: Date, countMax: number): number {
  const afterUntil = new Date(until.getTime() + 1);
  for (let count = Math.min(lookBackFirst, countMax); ; count = Math.min(count * lookBackFactor, countMax)) {
    const previousRuns = fires.previousRuns(count, afterUntil);
    const oldest = previousRuns.at(-1);
    if (oldest === undefined || previousRuns.length < count || oldest <= from) return from.getTime();
    if (count === countMax) return oldest.getTime();
  }
}

/**
 * Returns the newest `countMax` due times of a range. A backward search first limits the cost to about `countMax` due
 * times. The forward search then uses the same function that fires, so it alone defines due times.
 */
function dueBetween(fires: Cron, from: Date, until: Date, countMax: number): Date[] {
  const startMs = beginningOf(fires, from, until, countMax);
  const dueTimes: Date[] = [];
  let next = fires.nextRun(new Date(startMs - 1));
  while (next !== null && next <= until) {
    if (next >= from) dueTimes.push(next);
    next = fires.nextRun(next);
  }
  return dueTimes.slice(-countMax);
}
