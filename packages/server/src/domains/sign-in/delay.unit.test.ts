import { expect, it } from 'vitest';
import { delayOf } from './delay.ts';

it('delays a sign-in after five failures, twice as long after each further one, and never longer than four seconds', () => {
  expect(Array.from({ length: 12 }, (_, failures) => delayOf(failures))).toEqual([
    0, 0, 0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ]);
  expect([100, 10_000, Number.MAX_SAFE_INTEGER].map(delayOf)).toEqual([4_000, 4_000, 4_000]);
});
