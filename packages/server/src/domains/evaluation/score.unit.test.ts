import { expect, test } from 'vitest';
import { scoreOf, wilson } from './score.ts';

const none = {
  Passed: 0,
  WrongRows: 0,
  WrongTables: 0,
  NotRun: 0,
  Abstained: 0,
  AnsweredUnanswerable: 0,
  Harness: 0,
};

test('the Wilson interval agrees with published values', () => {
  expect(wilson(0, 0)).toBeNull();
  const { lower, upper } = wilson(8, 10) ?? { lower: 0, upper: 0 };
  expect([lower.toFixed(4), upper.toFixed(4)]).toEqual(['0.4902', '0.9433']);
  expect(wilson(10, 10)?.upper).toBeCloseTo(1, 10);
});

test('the score ignores questions that failed in the harness, and counts abstentions separately', () => {
  const rows = { ...none, Passed: 3, WrongRows: 1, Abstained: 1, Harness: 9 };
  const noAnswer = { ...none, Passed: 2, AnsweredUnanswerable: 1, Harness: 4 };
  expect(scoreOf(rows, noAnswer)).toMatchObject({ accuracy: 0.6, abstentionShare: 2 / 3 });
  expect(scoreOf(none, none)).toEqual({
    accuracy: null,
    accuracyLower: null,
    accuracyUpper: null,
    abstentionShare: null,
  });
});
