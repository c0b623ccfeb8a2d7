import { expect, test } from 'vitest';
import { resultInColumn, resultInWords } from './result-count.ts';

const run = { contractId: null, resultCount: 3, failingRowCount: null };
const contract = { contractId: 7, resultCount: 3, failingRowCount: 183 };

test('the result of a data contract is its number of rules, and its number of rows if known', () => {
  expect(resultInWords(contract)).toBe('3 rules, 183 rows');
  expect(resultInWords({ ...contract, resultCount: 1, failingRowCount: null })).toBe('1 rule');
  expect(resultInColumn(contract)).toBe('3 rules, 183 rows');
});

test('the result of a query is its number of rows', () => {
  expect(resultInWords(run)).toBe('3 rows');
  expect(resultInWords({ ...run, resultCount: 1 })).toBe('1 row');
  expect(resultInColumn({ ...run, resultCount: 1_234 })).toBe('1,234');
  expect([resultInWords, resultInColumn].map((words) => words({ ...run, resultCount: null }))).toEqual([
    '',
    '',
  ]);
});
