import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextMorning } from './next-morning.ts';

test.each([
  ['UTC', '2026-03-01T08:00:00Z', '2026-03-02T09:00:00.000Z'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T07:00:00.000Z'],
  ['Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T08:00:00.000Z'],
  ['America/New_York', '2026-11-01T02:00:00Z', '2026-11-01T14:00:00.000Z'],
  ['Asia/Kathmandu', '2026-05-05T20:00:00Z', '2026-05-07T03:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-31T12:00:00Z', '2027-01-01T19:00:00.000Z'],
])('returns 9:00 of the next day in %s, also across a clock change', (zone, now, expected) => {
  expect(nextMorning(new Date(now), zone).toISOString()).toBe(expected);
});

test('always shows 9:00 on the clocks of the zone, within the next two days', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/London',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Asia/Tehran',
  );
  fc.assert(
    fc.property(zones, fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01') }), (zone, now) => {
      const morning = nextMorning(now, zone);
      const shown = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(morning);
      expect(shown).toBe('09:00');
      const hours = (morning.getTime() - now.getTime()) / 3_600_000;
      expect(hours).toBeGreaterThan(8);
      expect(hours).toBeLessThan(34);
    }),
  );
});
