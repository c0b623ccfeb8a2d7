import { expect, test } from 'vitest';
import { failureInWords } from './outcome.tsx';

const failed = { status: 'Failed', failedBecause: 'ScoreTooLow', score: 86.2, failScore: 90 } as const;

test('a failure by the score names the limit of that time', () => {
  expect(failureInWords(failed)).toBe('. Failed: the score 86.2 is too low, the contract failed below 90');
});

test('a failure whose limit is not stored names no limit', () => {
  expect(failureInWords({ ...failed, failScore: null })).toBe('. Failed: the score 86.2 is too low');
});
