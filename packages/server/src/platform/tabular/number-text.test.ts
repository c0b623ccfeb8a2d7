import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberText, serialText } from './number-text.ts';

const isSame = (value: number): boolean => numberText(value) === String(value);
const same = (value: number): void => expect(numberText(value)).toBe(String(value));

test('a number is written as JavaScript writes it', () => {
  for (const value of [
    0,
    -0,
    1,
    999,
    1_000,
    1_001,
    1_000_000,
    123_456_789,
    1e15 - 1,
    1e15,
    1e21,
    2 ** 53,
    -7,
  ])
    same(value);
  for (const value of [
    0.1,
    0.25,
    -0.5,
    12.5,
    1.05,
    1.005,
    0.001,
    0.000001,
    0.0000001,
    0.1 + 0.2,
    9_876.54321,
  ])
    same(value);
  for (const value of [Number.NaN, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, Number.EPSILON])
    same(value);
});

test('any random number is written as JavaScript writes it', () => {
  fc.assert(fc.property(fc.double(), isSame), { numRuns: 5_000 });
  fc.assert(fc.property(fc.maxSafeInteger(), isSame), { numRuns: 5_000 });
});

test('any decimal with up to 15 places is written as JavaScript writes it', () => {
  const decimal = fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 15 }));
  fc.assert(
    fc.property(decimal, ([digits, places]) => isSame(digits / 10 ** places)),
    { numRuns: 20_000 },
  );
  const cents = Array.from({ length: 200_000 }, (_, index) => index / 100);
  expect(cents.filter((amount) => !isSame(amount))).toEqual([]);
});

test('the text of a time serial is read back as the same time', () => {
  const dayMs = 86_400_000;
  const moment = fc.tuple(fc.integer({ min: 0, max: 2_958_465 }), fc.integer({ min: 0, max: dayMs - 1 }));
  fc.assert(
    fc.property(moment, ([days, ms]) => {
      const read = Number(serialText(days + ms / dayMs));
      return Math.floor(read) === days && Math.round((read - days) * dayMs) === ms;
    }),
    { numRuns: 20_000 },
  );
  expect([61, 45_292.5, 0.5, 45_292 + 1 / dayMs, 0].map(serialText)).toEqual([
    '61',
    '45292.5',
    '0.5',
    '45292.000000011576',
    '0',
  ]);
  expect(serialText(45_292 + 86_399.999_999_999_9 / 86_400)).toBe('45293');
});
