import { expect, test } from 'vitest';
import { percent, percentLimit, percentOf } from './percent.ts';

test('an accuracy below the required one is never rounded up to it', () => {
  expect([percent(0.7996, 0.8), percentLimit(0.8)]).toEqual(['79.9 %', '80 %']);
  expect([percent(0.5749, 0.575), percentLimit(0.575)]).toEqual(['57.4 %', '57.5 %']);
  expect([percent(0.575, 0.575), percent(1), percent(null)]).toEqual(['57.5 %', '100 %', '']);
});

test('a required accuracy has all its decimals in the form that edits it', () => {
  expect([0.8, 0.575, 0.5755, 1].map(percentOf)).toEqual([80, 57.5, 57.55, 100]);
});
