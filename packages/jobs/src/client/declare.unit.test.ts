import { expect, test } from 'vitest';
import { defineJob } from './declare.ts';

const parse = (value: unknown): unknown => value;

test('a job without its own timeout has a timeout of one hour per attempt', () => {
  expect(defineJob({ name: 'plain', parse }).timeoutMs).toBe(3_600_000);
  expect(defineJob({ name: 'bounded', parse, timeoutMs: 5 }).timeoutMs).toBe(5);
});

test.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN, 2_147_483_648])(
  'a timeout of %d is refused',
  (timeoutMs) => {
    expect(() => defineJob({ name: 'bad', parse, timeoutMs })).toThrow('timeoutMs of bad must be from 1');
  },
);
