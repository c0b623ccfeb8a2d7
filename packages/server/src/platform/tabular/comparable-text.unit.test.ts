import { describe, expect, test } from 'vitest';
import { comparableText } from './comparable-text.ts';

describe('texts of one point in time', () => {
  test.each([
    ['2026-11-25T08:00:00Z', '2026-11-25 08:00:00'],
    ['2026-11-25T08:00:00Z', '2026-11-25T09:00:00+01'],
    ['2026-11-25T08:00:00Z', '2026-11-25 03:30:00-0430'],
    ['2026-11-25T08:00:00.5Z', '2026-11-25 08:00:00.500000+00:00'],
    ['2026-11-25T08:00Z', '2026-11-25T08:00:00.000Z'],
  ])('compare as equal: %s and %s', (one, other) => expect(comparableText(one)).toBe(comparableText(other)));
});

describe('texts of different values', () => {
  test.each([
    ['2026-11-25T08:00:00Z', '2026-11-25T08:00:00+01:00'],
    ['2026-11-25T08:00:00.000001Z', '2026-11-25T08:00:00Z'],
    ['2026-11-25', '2026-11-25T00:00:00Z'],
    ['2026-13-45T08:00:00Z', '2026-13-45 08:00:00'],
    ['1', 'one'],
    ['null', null],
    [true, 1],
  ])('compare as different: %s and %s', (one, other) =>
    expect(comparableText(one)).not.toBe(comparableText(other)),
  );
});
