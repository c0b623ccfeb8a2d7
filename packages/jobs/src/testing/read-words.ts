/** Parser of the texts of `describe()` without knowledge of cron, for the test that compares texts with due times. */
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

const items = (words: string) => words.split(/, | and /);

function numbers(words: string): number[] {
  return items(words).flatMap((item) => {
    const [from, to] = item.split(' to ').map(Number);
    if (from === undefined || Number.isNaN(from)) throw new Error(`No number: ${item}`);
    return Array.from({ length: (to ?? from) - from + 1 }, (_, at) => from + at);
  });
}

const all = (size: number) => Array.from({ length: size }, (_, at) => at);
const steps = (step: number, size: number) => all(size / step).map((at) => at * step);
const secondsOf = (hours: number[], minutes: number[], seconds: number[]) =>
  hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)),
  );

type TimeSet = { hour: number[]; minute: number[]; second: number[] };
const isUnit = (word: string | undefined): word is keyof TimeSet =>
  word === 'hour' || word === 'minute' || word === 'second';

/** Parses `Every 5 minutes`, `At second 5`. Units smaller than the named unit are zero. */
function readHead(head: string): TimeSet {
  const set: TimeSet = { hour: all(24), minute: all(60), second: all(60) };
  const [, step, everyUnit] = /^Every (?:(\d+) )?(second|minute|hour)s?$/.exec(head) ?? [];
  const [, atUnit, at = ''] = /^At (second|minute)s? (.+)$/.exec(head) ?? [];
  const unit = everyUnit ?? atUnit;
  if (!isUnit(unit)) throw new Error(`Not understood: ${head}`);
  if (unit !== 'second') set.second = [0];
  if (unit === 'hour') set.minute = [0];
  set[unit] = atUnit ? numbers(at) : steps(Number(step ?? 1), unit === 'hour' ? 24 : 60);
  return set;
}

/** Returns the seconds of the day for texts such as `Every 5 minutes of hours 8 to 17`. */
function readFrequency(words: string): number[] {
  const [head = '', ...clauses] = words.split(' of ');
  const set = readHead(head);
  for (const clause of clauses) {
    if (clause === 'every hour' || clause === 'every minute') continue;
    const [, unit, which = ''] = /^(minute|hour)s? (.+)$/.exec(clause) ?? [];
    if (!isUnit(unit)) throw new Error(`Not understood: ${clause}`);
    set[unit] = numbers(which);
  }
  return secondsOf(set.hour, set.minute, set.second);
}

function readClock(words: string): number[] {
  return items(words).map((time) => {
    const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
    return hour * 3600 + minute * 60 + second;
  });
}

type DayTest = (day: Date) => boolean;
const daysInMonth = (day: Date) =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
const isWeekend = (year: number, month: number, date: number) =>
  [0, 6].includes(new Date(Date.UTC(year, month, date)).getUTCDay());

function nearestWeekday(day: Date, wanted: number): number {
  const [year, month, last] = [day.getUTCFullYear(), day.getUTCMonth(), daysInMonth(day)];
  if (wanted > last) return -1;
  return (
    [0, -1, 1, 2, -2]
      .map((shift) => wanted + shift)
      .find((date) => date >= 1 && date <= last && !isWeekend(year, month, date)) ?? -1
  );
}

function readWeekdays(words: string): DayTest {
  if (words === 'weekdays' || words === 'weekday') return (day) => ![0, 6].includes(day.getUTCDay());
  const wanted = items(words).map((name) => weekdays.indexOf(name));
  if (wanted.includes(-1)) throw new Error(`No weekdays: ${words}`);
  return (day) => wanted.includes(day.getUTCDay());
}

function readOneDay(words: string): DayTest {
  if (words === 'the last day of the month') return (day) => day.getUTCDate() === daysInMonth(day);
  if (words === 'the last weekday of the month') {
    return (day) => day.getUTCDate() === nearestWeekday(day, daysInMonth(day));
  }
  const nearest = /^the weekday nearest to day (\d+) of the month$/.exec(words);
  if (nearest) return (day) => day.getUTCDate() === nearestWeekday(day, Number(nearest[1]));
  const days = /^days? (.+) of the month$/.exec(words);
  if (days) {
    const wanted = numbers(days[1] ?? '');
    return (day) => wanted.includes(day.getUTCDate());
  }
  const nth = /^the (.+) ([A-Z][a-z]+day) of the month$/.exec(words);
  if (nth) {
    const which = items(nth[1] ?? '');
    const weekday = weekdays.indexOf(nth[2] ?? '');
    return (day) =>
      day.getUTCDay() === weekday &&
      (which.includes(ordinals[Math.ceil(day.getUTCDate() / 7) - 1] ?? '') ||
        (which.includes('last') && day.getUTCDate() + 7 > daysInMonth(day)));
  }
  return readWeekdays(words.replace(/^every /, ''));
}

function readMonths(words: string): DayTest {
  const wanted = items(words).flatMap((item) => {
    const [from, to] = item.split(' to ').map((name) => months.indexOf(name));
    if (from === undefined || from < 0) throw new Error(`No month: ${item}`);
    return Array.from({ length: (to ?? from) - from + 1 }, (_, at) => from + at);
  });
  return (day) => wanted.includes(day.getUTCMonth());
}

const dayMs = 86_400_000;
const daysLookedAtMax = 366 * 40;

/** Returns the due times that a text describes, in UTC. */
export function readWords(sentence: string): { next(count: number, from: Date): Date[] } {
  const [, rest = '', monthWords] = /^(.*?)(?:, in (.+))?$/.exec(sentence) ?? [];
  const [, timePart = '', dayPart] = /^(.*?)(?:, on (.+))?$/.exec(rest) ?? [];
  const named = /^Every (.+) at ([\d:, and]+)$/.exec(timePart);
  const clock = /^At ([\d:, and]*:[\d:, and]*)$/.exec(timePart);
  const times = (
    named ? readClock(named[2] ?? '') : clock ? readClock(clock[1] ?? '') : readFrequency(timePart)
  ).toSorted((a, b) => a - b);
  const tests: DayTest[] = [];
  if (named && named[1] !== 'day') tests.push(readWeekdays(named[1] ?? ''));
  if (dayPart !== undefined) {
    const anyOf = dayPart.split(', and on ').map(readOneDay);
    tests.push((day) => anyOf.some((test) => test(day)));
  }
  if (monthWords !== undefined) tests.push(readMonths(monthWords));
  return {
    next: (count, from) => {
      const dueTimes: Date[] = [];
      const startMs = Math.floor(from.getTime() / dayMs) * dayMs;
      for (let day = 0; day < daysLookedAtMax && dueTimes.length < count; day += 1) {
        const midnightMs = startMs + day * dayMs;
        if (!tests.every((test) => test(new Date(midnightMs)))) continue;
        for (const second of times) {
          const at = new Date(midnightMs + second * 1000);
          if (at > from && dueTimes.length < count) dueTimes.push(at);
        }
      }
      return dueTimes;
    },
  };
}
