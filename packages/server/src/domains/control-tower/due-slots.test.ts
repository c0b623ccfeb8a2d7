import { parseSchedule } from '@svc/jobs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeSlots } from './due-slots.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];
const expressions = [
  '* * * * *',
  '*/20 * * * * *',
  '*/15 1-3 * * *',
  '30 2 * * *',
  '0 0 * * 1',
  '0 9 29 2 *',
];
/** Hours around changes of the clock in those zones. */
const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'].map(
  (day) => Date.parse(`${day}T00:00:00Z`),
);
const moment = fc
  .tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400, max: 2 * 86_400 }))
  .map(([day, seconds]) => new Date(day + seconds * 1_000));

test('the newest and the next slot are adjacent times of the schedule, also around clock changes', () => {
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom(...zones),
      fc.constantFrom(...expressions),
      (until, timeZone, cronExpression) => {
        const { dueAt, nextDueAt } = computeSlots({ cronExpression, timeZone }, until);
        const schedule = parseSchedule(cronExpression, timeZone);
        expect(dueAt !== null && dueAt <= until).toBe(true);
        expect(nextDueAt !== null && nextDueAt > until).toBe(true);
        expect(schedule.next(1, dueAt ?? undefined)).toEqual([nextDueAt]);
      },
    ),
    { numRuns: 300 },
  );
});

test('an expression or a time zone that cannot be parsed has no slots', () => {
  const none = { dueAt: null, nextDueAt: null };
  expect(computeSlots({ cronExpression: '* * * *', timeZone: 'UTC' }, new Date())).toEqual(none);
  expect(computeSlots({ cronExpression: '* * * * *', timeZone: 'Mars/Base' }, new Date())).toEqual(none);
});
