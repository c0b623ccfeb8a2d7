import { describe, expect, test } from 'vitest';
import { count, plural, relativeTime, untilTime } from './wording.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const after = (seconds: number) => new Date(now + seconds * 1_000).toISOString();

describe('a number in a sentence', () => {
  test.each([
    [0, '0 rows'],
    [1, '1 row'],
    [2, '2 rows'],
    [12_345, '12,345 rows'],
  ])('%i has the matching form of its noun', (value, text) => {
    expect(plural(value, 'row')).toBe(text);
  });

  test('uses the irregular plural that the caller passes', () => {
    expect([plural(1, 'query', 'queries'), plural(2, 'query', 'queries')]).toEqual(['1 query', '2 queries']);
    expect(count(1_000_000)).toBe('1,000,000');
  });
});

describe('a time in a sentence', () => {
  test.each([
    [82_800, 'in 23 hr'],
    [-180, '3 min ago'],
    [-40, '40 sec ago'],
    [2 * 86_400, 'in 2 days'],
    [14 * 86_400, 'in 2 wk'],
    [-2, 'now'],
  ])('%i seconds from now is written without a full stop', (seconds, text) => {
    expect(relativeTime(after(seconds), now)).toBe(text);
  });

  test('names an end as a point in time, not as a distance', () => {
    expect(untilTime(after(82_800), 'UTC')).toBe('until Sun 22 Nov, 07:00');
    expect(untilTime(after(82_800), 'Europe/Berlin')).toBe('until Sun 22 Nov, 08:00');
  });
});
