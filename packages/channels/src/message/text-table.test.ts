import { expect, test } from 'vitest';
import { resultsLine } from './text-table.ts';

const message = {
  subscriptionName: 'Orders',
  dataSourceName: 'Shop',
  columns: ['rule'],
  rows: [],
  timedOut: false,
  timestamp: new Date('2026-11-21T08:00:00Z'),
};

test.each([
  [3, 3, { violationCount: 183 }, '3 rules did not pass, with 183 violations'],
  [1, 1, { violationCount: 1 }, '1 rule did not pass, with 1 violation'],
  [1, 1, {}, '1 rule did not pass'],
  [30, 20, {}, '30 rules did not pass; the first 20 are shown'],
])(
  'a message of a data contract counts %i rules as rules and their violations as violations',
  (totalRows, shown, failedRules, line) => {
    expect(resultsLine({ ...message, totalRows, failedRules }, { rows: shown, columns: 1 })).toBe(line);
  },
);
