import { Cron, CronPattern } from 'croner';
import { JobsError } from '../errors.ts';
import { describePattern } from './describe.ts';
import { minimumIntervalSeconds } from './minimum-interval.ts';

/** A cron expression that was checked, in a time zone. */
export type ParsedSchedule = {
  /** The expression with single blanks between its fields. */
  readonly cron: string;
  readonly timeZone: string;
  /** The next due times after `from` (default now), at most `count`, fewer when it comes due no more. */
  next(count: number, from?: Date): Date[];
  /** The due times from `from` to `until`, both included, the newest `countMax` of them, oldest first. */
  between(from: Date, until: Date, countMax: number): Date[];
  /** Shortest time between two due times by the clock on the wall; a change of the clock may make one shorter. */
  readonly minimumIntervalSeconds: number;
  /** What it means, in English words, computed from the very pattern that fires. */
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

/** What was parsed is kept, since a list of schedules is parsed at every read: the newest so many. */
const parsedMax = 1_000;
const parsed = new Map<string, ParsedSchedule>();

function refuse(message: string, cause?: unknown): never {
  throw new JobsError('InvalidSchedule', message, cause === undefined ? undefined : { cause });
}

/** Checks one field by itself, so that a refusal can name it. */
function checkField(parts: readonly string[], position: number): void {
  const index = position + fields.length - parts.length;
  const field = fields[index];
  const part = parts[position];
  if (!field || part === undefined) return;
  try {
    // A question mark means any day where it stands for a day; anywhere else it is a slip.
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
 * Checks a cron expression: five fields (minute, hour, day of month, month, day of week), or six with seconds first.
 * When both days are restricted, either of them is enough.
 *
 * Changes of the clock: a schedule that names its times (no `*` or step in seconds, minutes and hours) fires once a
 * day all the same, at the first valid time after a gap, and at the first of two equal times; one with `*` or steps
 * goes by elapsed time, so it skips what the gap skips and fires in both repeated hours.
 *
 * @throws JobsError `InvalidSchedule`, whose message names the field that is not valid.
 */
export function parseSchedule(cron: string, timeZone = 'UTC'): ParsedSchedule {
  const key = `${timeZone} ${cron}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
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

/** Due times that are looked back for at first; then so many times as many. */
const lookBackFirst = 4;
const lookBackFactor = 8;

/**
 * A due time from which on there are at most about `countMax` until the end of a stretch, or `from` where there are fewer.
 * Looks back little first: a look costs as much as the due times that it goes over, and most stretches have few.
 */
function beginningOf(fires: Cron, from: Date, until: Date, countMax: number): number {
  const afterUntil = new Date(until.getTime() + 1);
  for (let count = Math.min(lookBackFirst, countMax); ; count = Math.min(count * lookBackFactor, countMax)) {
    const found = fires.previousRuns(count, afterUntil);
    const oldest = found.at(-1);
    if (oldest === undefined || found.length < count || oldest <= from) return from.getTime();
    if (count === countMax) return oldest.getTime();
  }
}

/**
 * The newest due times of a stretch. Looks back first, so that a stretch of any length costs no more than `countMax` due
 * times, then goes forward by the very function that fires, which alone decides what a due time is.
 */
function dueBetween(fires: Cron, from: Date, until: Date, countMax: number): Date[] {
  const startMs = beginningOf(fires, from, until, countMax);
  const found: Date[] = [];
  let next = fires.nextRun(new Date(startMs - 1));
  while (next !== null && next <= until) {
    if (next >= from) found.push(next);
    next = fires.nextRun(next);
  }
  return found.slice(-countMax);
}
