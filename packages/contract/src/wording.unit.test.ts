import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { count, limitText, plural, relativeTime, scoreText, shownScore, untilTime } from './wording.ts';

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

describe('a score', () => {
  test.each([
    [79.96, [], '79.9'],
    [79.96, [80], '79.9'],
    [99.9996, [100], '99.9'],
    [100, [100], '100'],
    [0, [0], '0'],
    [93, [93], '93'],
    [92.999_999_999_999_99, [93], '92.9'],
    [92.999_999_999_999_99, [], '93'],
    [57.000_000_000_000_01, [57], '57'],
    [0.57 * 100, [], '57'],
    [0.575 * 100, [0.575 * 100], '57.5'],
    [79.96, [79.95], '79.96'],
    [79.94, [79.95, 95], '79.94'],
    [86.21, [90], '86.2'],
  ] as const)('%d with the limits %j is written as %s', (score, limits, text) => {
    expect(scoreText(score, ...limits)).toBe(text);
  });

  test('is shown below a limit exactly if it is below the limit', () => {
    const score = fc.oneof(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000),
    );
    const limit = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000);
    fc.assert(
      fc.property(score, limit, limit, (of, first, second) => {
        const shown = shownScore(of, first, second);
        for (const each of [first, second]) expect(shown < each).toBe(of < each);
        expect(Number(scoreText(of, first, second))).toBe(shown);
        expect(Number(limitText(first))).toBe(first);
      }),
      { numRuns: 2_000 },
    );
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
