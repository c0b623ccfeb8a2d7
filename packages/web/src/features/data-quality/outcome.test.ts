import { expect, test } from 'vitest';
import { failureInWords } from './outcome.tsx';

const failed = { status: 'Failed', failedBecause: 'ScoreTooLow', score: 86.2, failScore: 90 } as const;

test('a failure by the score names the limit of that time', () => {
  expect(failureInWords(failed)).toBe('. Failed: the score 86.2 is too low, the contract failed below 90');
});

test('a failure whose limit is not stored names no limit', () => {
  expect(failureInWords({ ...failed, failScore: null })).toBe('. Failed: the score 86.2 is too low');
});

test.each([
  [79.96, 80, '79.9', '80'],
  [99.9996, 100, '99.9', '100'],
  [89.991, 89.994, '89.991', '89.994'],
  [0.1 + 0.2 - 0.000_000_1, 0.3, '0.2', '0.3'],
  [86.21, 90.04, '86.21', '90.04'],
] as const)(
  'a failure by the score %d below %d shows a number below the limit',
  (score, failScore, low, limit) => {
    expect(failureInWords({ ...failed, score, failScore })).toBe(
      `. Failed: the score ${low} is too low, the contract failed below ${limit}`,
    );
  },
);
