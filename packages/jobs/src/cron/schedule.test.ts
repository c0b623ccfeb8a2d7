import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobsError } from '../errors.ts';
import { readWords } from '../testing/read-words.ts';
import { parseSchedule } from './parse-schedule.ts';

const iso = (dates: readonly Date[]) => dates.map((date) => date.toISOString());

describe('parseSchedule', () => {
  it.each([
    ['61 * * * *', /minute field .*"61".* 0 to 59/],
    ['* 24 * * *', /hour field .*"24"/],
    ['* * 32 * *', /day of month field .*"32"/],
    ['* * * 13 *', /month field .*"13"/],
    ['* * * * 8', /day of week field .*"8"/],
    ['60 * * * * *', /second field .*"60"/],
    ['* * ? ? *', /month field .*"\?"/],
    ['*/0 * * * *', /minute field/],
    ['5-1 * * * *', /minute field/],
    ['* * * *', /five fields .* not 4/],
    ['* * * * * * *', /not 7/],
    ['  ', /not 0/],
    ['@daily', /not 1/],
    ['0 0 31 2 *', /never comes due/],
    [`${'0,'.repeat(200)}0 * * * *`, /at most 200 characters/],
  ])('refuses %j with the reason', (cron, reason) => {
    expect(() => parseSchedule(cron)).toThrow(reason);
    expect(() => parseSchedule(cron)).toThrow(JobsError);
  });

  it('refuses an unknown time zone', () => {
    expect(() => parseSchedule('* * * * *', 'Mars/Base')).toThrow(/time zone "Mars\/Base" is not known/);
  });

  it('caches the newest thousand schedules', () => {
    const minuteOfYear = (at: number) => `${at % 60} ${Math.floor(at / 60)} 3 4 *`;
    const first = parseSchedule(minuteOfYear(0), 'Europe/Berlin');
    expect(parseSchedule(minuteOfYear(0), 'Europe/Berlin')).toBe(first);
    expect(parseSchedule(minuteOfYear(0), 'Europe/Zagreb')).not.toBe(first);
    for (let at = 1; at <= 1_000; at += 1) parseSchedule(minuteOfYear(at), 'Europe/Berlin');
    expect(parseSchedule(minuteOfYear(0), 'Europe/Berlin')).not.toBe(first);
  });

  it('returns the due times after a time, never the time itself', () => {
    const schedule = parseSchedule('0 8 * * *', 'Europe/Berlin');
    expect(iso(schedule.next(2, new Date('2026-01-05T07:00:00Z')))).toEqual([
      '2026-01-06T07:00:00.000Z',
      '2026-01-07T07:00:00.000Z',
    ]);
  });

  it('returns the newest due times of a period, including its ends', () => {
    const schedule = parseSchedule('* * * * * *');
    const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')];
    expect(iso(schedule.between(from, until, 2))).toEqual([
      '2026-12-31T23:59:59.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
    expect(iso(schedule.between(until, until, 5))).toEqual(['2027-01-01T00:00:00.000Z']);
  });

  it('returns the same due times of a period for any maximum number', () => {
    const schedule = parseSchedule('*/10 * * * * *');
    const until = new Date('2026-01-01T10:00:05Z');
    for (const minutes of [0, 1, 5, 45, 400]) {
      const from = new Date(until.getTime() - minutes * 60_000);
      const all = iso(schedule.between(from, until, 10_000));
      expect(all).toHaveLength(minutes * 6);
      for (const countMax of [1, 3, 4, 5, 31, 32, 33, 1_001])
        expect(iso(schedule.between(from, until, countMax))).toEqual(all.slice(-countMax));
    }
  });

  it('needs similar time for a period with few due times, for any maximum number', () => {
    const schedule = parseSchedule('0 * * * *');
    const until = new Date('2026-01-01T10:00:05Z');
    const from = new Date(until.getTime() - 30_000);
    const costOf = (countMax: number): number => {
      const before = process.cpuUsage();
      for (let round = 0; round < 50; round += 1) schedule.between(from, until, countMax);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    costOf(20);
    expect(costOf(1_001)).toBeLessThan(5 * costOf(20));
  });

  it('supports leap days and years after 2038', () => {
    expect(iso(parseSchedule('0 0 29 2 *').next(2, new Date('2026-01-01T00:00:00Z')))).toEqual([
      '2028-02-29T00:00:00.000Z',
      '2032-02-29T00:00:00.000Z',
    ]);
    expect(iso(parseSchedule('14 3 19 1 *').next(1, new Date('2038-01-19T03:14:07Z')))).toEqual([
      '2039-01-19T03:14:00.000Z',
    ]);
  });
});

describe('clock changes for daylight saving time', () => {
  it('a fixed time in the spring gap fires at the first valid time after it', () => {
    const schedule = parseSchedule('30 2,14 * * *', 'Europe/Berlin');
    expect(iso(schedule.next(3, new Date('2026-03-28T14:00:00Z')))).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T12:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('a fixed time that autumn repeats fires once, at the first of the two', () => {
    const schedule = parseSchedule('30 2,14 * * *', 'Europe/Berlin');
    expect(iso(schedule.next(3, new Date('2026-10-24T13:00:00Z')))).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T13:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('a stepped expression follows elapsed time: no extra time in spring, both hours in autumn', () => {
    const schedule = parseSchedule('*/30 * * * *', 'Europe/Berlin');
    expect(iso(schedule.next(2, new Date('2026-03-29T00:30:00Z')))).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ]);
    expect(iso(schedule.next(4, new Date('2026-10-24T23:45:00Z')))).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
  });
});

describe('minimumIntervalSeconds', () => {
  it.each([
    ['* * * * * *', 1],
    ['*/20 * * * * *', 20],
    ['0,50 * * * * *', 10],
    ['*/7 * * * *', 240],
    ['0 0,23 * * *', 3_600],
    ['30 8 * * 1-5', 86_400],
    ['30 8 * * 1', 604_800],
    ['59,0 0,23 1 * *', 3_540],
    // Adjacent days only in 2033, when the last Friday of August is the 26th.
    ['0 0 25 8 5L', 86_400],
  ])('of %s is %d', (cron, seconds) => {
    expect(parseSchedule(cron).minimumIntervalSeconds).toBe(seconds);
  });

  it('is never longer than the distance between any two due times', () => {
    fc.assert(
      fc.property(patterns(), (cron) => {
        const schedule = parseSchedule(cron);
        const times = schedule
          .next(50, new Date('2026-01-01T00:00:00Z'))
          .map((date) => date.getTime() / 1000);
        for (let at = 1; at < times.length; at += 1) {
          expect((times[at] ?? 0) - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(
            schedule.minimumIntervalSeconds,
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the description of a schedule', () => {
  it.each([
    ['0 8 * * 1-5', 'Every weekday at 08:00'],
    ['*/20 * * * * *', 'Every 20 seconds'],
    ['* * * * *', 'Every minute'],
    ['0 * * * *', 'Every hour'],
    ['0 */4 * * *', 'Every 4 hours'],
    ['0 8,12,17 * * *', 'Every day at 08:00, 12:00 and 17:00'],
    ['0 9 * * 1,0', 'Every Monday and Sunday at 09:00'],
    ['*/5 8-17 * * MON-FRI', 'Every 5 minutes of hours 8 to 17, on weekdays'],
    ['*/7 * * * *', 'At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour'],
    ['30 6 L 3 *', 'At 06:30, on the last day of the month, in March'],
    ['0 9 * * 5#2', 'At 09:00, on the second Friday of the month'],
    // Either day is enough: the text must not describe a day that is both.
    ['0 0 1 * 1', 'At 00:00, on day 1 of the month, and on every Monday'],
    ['0 0 13 * 5', 'At 00:00, on day 13 of the month, and on every Friday'],
    ['0 8 1-7 * 1', 'At 08:00, on days 1 to 7 of the month, and on every Monday'],
    [
      '0 8 1,L * 1-5',
      'At 08:00, on day 1 of the month, and on the last day of the month, and on every weekday',
    ],
    ['0 9 13 * 5#2', 'At 09:00, on day 13 of the month, and on the second Friday of the month'],
  ])('of %s is %j', (cron, words) => {
    expect(parseSchedule(cron).describe()).toBe(words);
  });

  it('matches the due times: the description, parsed again, produces the same times', () => {
    fc.assert(
      fc.property(
        patterns(),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        (cron, from) => {
          const schedule = parseSchedule(cron, 'UTC');
          const words = schedule.describe();
          expect({ words, times: iso(readWords(words).next(8, from)) }).toEqual({
            words,
            times: iso(schedule.next(8, from)),
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Returns cron expressions of every form, all with due times within a few years. */
function patterns(): fc.Arbitrary<string> {
  const within = (min: number, max: number) => fc.integer({ min, max });
  const range = (min: number, max: number) =>
    fc.tuple(within(min, max), within(min, max)).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const field = (min: number, max: number) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('*') },
      { weight: 2, arbitrary: within(min, max).map(String) },
      within(1, max - min).map((step) => `*/${step}`),
      range(min, max),
      fc.tuple(range(min, max), within(1, 5)).map(([part, step]) => `${part}/${step}`),
      fc.array(within(min, max), { minLength: 2, maxLength: 5 }).map((list) => list.join(',')),
    );
  const monthDay = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('*', '?') },
    { weight: 2, arbitrary: field(1, 28) },
    fc.constantFrom('L', 'LW', '1,L', '1-31'),
    within(1, 28).map((day) => `${day}W`),
  );
  const weekday = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('*', '?') },
    { weight: 2, arbitrary: field(0, 6) },
    fc.constantFrom('MON-FRI', 'SAT,SUN', '7', '0-6', '1,5L', '5#1,5#3'),
    fc.tuple(within(0, 6), within(1, 4)).map(([day, nth]) => `${day}#${nth}`),
    within(0, 6).map((day) => `${day}L`),
  );
  const minuteAndOn = fc.tuple(field(0, 59), field(0, 23), monthDay, field(1, 12), weekday);
  return fc.oneof(
    minuteAndOn.map((parts) => parts.join(' ')),
    fc.tuple(field(0, 59), minuteAndOn).map(([second, parts]) => [second, ...parts].join(' ')),
  );
}
