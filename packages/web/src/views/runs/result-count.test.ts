import { expect, test } from 'vitest';
import { resultInWords, resultLines } from './result-count.ts';

const run = { contractId: null, resultCount: 3, violationCount: null };
const contract = { contractId: 7, resultCount: 3, violationCount: 183 };

test('the result of a data contract counts its rules, and their violations if they are known', () => {
  expect(resultInWords(contract)).toBe('3 rules, 183 violations');
  expect(resultInWords({ ...contract, resultCount: 1, violationCount: null })).toBe('1 rule');
  expect(resultLines(contract)).toEqual(['3 rules', '183 violations']);
});

test('the result of a query is its number of rows', () => {
  expect(resultInWords(run)).toBe('3 rows');
  expect(resultInWords({ ...run, resultCount: 1 })).toBe('1 row');
  expect(resultLines({ ...run, resultCount: 1_234 })).toEqual(['1,234']);
  expect(resultInWords({ ...run, resultCount: null })).toBe('');
  expect(resultLines({ ...run, resultCount: null })).toEqual([]);
});
