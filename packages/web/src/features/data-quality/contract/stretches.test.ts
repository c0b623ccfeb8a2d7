import { expect, test } from 'vitest';
import { stepsOf, stretchesOf } from './stretches.ts';

test('a missing number ends a stretch, and the next number begins another one', () => {
  expect(stretchesOf([null, 80, 90, null, 90])).toEqual([
    [
      { at: 1, value: 80 },
      { at: 2, value: 90 },
    ],
    [{ at: 4, value: 90 }],
  ]);
  expect(stretchesOf([null])).toEqual([]);
});

test('a line of limits has the limit of each evaluation over the width of that evaluation', () => {
  const [stretch = []] = stretchesOf([80, 90]);
  expect(stepsOf(stretch)).toEqual([
    { at: -0.5, value: 80 },
    { at: 0.5, value: 80 },
    { at: 0.5, value: 90 },
    { at: 1.5, value: 90 },
  ]);
});
