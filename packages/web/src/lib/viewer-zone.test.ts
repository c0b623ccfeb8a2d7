import { afterEach, expect, test } from 'vitest';
import { browserZone, dateOnly, exactTime, shortTime, showTimesIn, viewerZone } from './format.ts';

const time = '2026-03-01T11:30:00Z';

afterEach(() => showTimesIn(null));

test('times and dates are shown in the chosen time zone, and an explicit zone takes precedence', () => {
  showTimesIn('Pacific/Kiritimati');
  expect(viewerZone).toBe('Pacific/Kiritimati');
  expect(shortTime(time)).toMatch(/^Mon,? 2 Mar, 01:30$/);
  expect(exactTime(time)).toContain('GMT+14');
  expect(dateOnly(time)).toBe('2 Mar 2026');
  expect(shortTime(time, 'UTC')).toMatch(/^Sun,? 1 Mar, 11:30$/);
});

test('without a choice, or with a zone that the browser does not support, times use the zone of the browser', () => {
  showTimesIn('Mars/Olympus');
  expect(viewerZone).toBe(browserZone);
  showTimesIn(null);
  expect(viewerZone).toBe(browserZone);
});
