import { describe, expect, test } from 'vitest';
import { type Decision, type DecisionFacts, decide } from './decide.ts';

type Case = readonly [
  trigger: DecisionFacts['notificationTrigger'],
  minimum: number | null,
  previous: number | null,
  count: number,
  decision: Decision,
];

const cases: readonly Case[] = [
  ['Always', null, null, 0, 'NoResults'],
  ['Always', 5, 3, 0, 'NoResults'],
  ['Always', 5, null, 4, 'BelowThreshold'],
  ['Always', 5, null, 5, 'Notify'],
  ['Always', null, 3, 3, 'Notify'],
  ['OnResultCountChange', null, null, 3, 'Notify'],
  ['OnResultCountChange', null, 3, 3, 'Silenced'],
  ['OnResultCountChange', null, 3, 2, 'Notify'],
  ['OnResultCountChange', null, 0, 1, 'Notify'],
  ['OnResultCountChange', 5, 9, 4, 'BelowThreshold'],
  ['OnResultCountIncrease', null, null, 3, 'Notify'],
  ['OnResultCountIncrease', null, 3, 3, 'Silenced'],
  ['OnResultCountIncrease', null, 3, 2, 'Silenced'],
  ['OnResultCountIncrease', null, 3, 4, 'Notify'],
  ['OnResultCountIncrease', null, 3, 0, 'NoResults'],
  ['WhileRows', null, 3, 0, 'NoResults'],
  ['WhileRows', 5, 3, 4, 'BelowThreshold'],
  ['WhileRows', null, 3, 4, 'Silenced'],
];

describe('the decision from a row count', () => {
  test.each(cases)(
    'trigger %s, minimum %s, previous count %s, count %s: %s',
    (notificationTrigger, minimum, previous, count, decision) => {
      const facts = {
        notificationTrigger,
        minimumRowCount: minimum,
        previousResultCount: previous,
        resultCount: count,
        assessment: null,
        alert: null,
        rowChanges: null,
      };
      expect(decide(facts)).toBe(decision);
    },
  );

  test.each([0, 1, 4, 5])('a recovered alert is reported even with a result of %s rows', (resultCount) => {
    const facts = { notificationTrigger: 'WhileRows', minimumRowCount: 5, previousResultCount: 3 } as const;
    const alert = { notification: 'Recovered' } as const;
    expect(decide({ ...facts, resultCount, assessment: null, alert, rowChanges: null })).toBe('Notify');
  });

  test.each([
    [true, 0, 9, null, 'Silenced'],
    [false, 0, 0, null, 'NoResults'],
    [false, 0, 9, null, 'Silenced'],
    [false, 1, 0, null, 'Notify'],
    [false, 2, 9, 3, 'BelowThreshold'],
    [false, 3, 9, 3, 'Notify'],
  ] as const)(
    'row changes: baseline %s, %s reported of %s rows, minimum %s: %s',
    (isBaseline, reportedCount, resultCount, minimumRowCount, decision) => {
      const facts = { notificationTrigger: 'OnRowChange', previousResultCount: 9, resultCount } as const;
      const rowChanges = { isBaseline, reportedCount };
      expect(decide({ ...facts, minimumRowCount, assessment: null, alert: null, rowChanges })).toBe(decision);
    },
  );
});
