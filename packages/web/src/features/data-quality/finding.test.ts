import { expect, test } from 'vitest';
import { failingInWords } from './finding.tsx';

test('a rule of the schema counts differences, any other rule counts rows', () => {
  expect(failingInWords({ type: 'Schema', failing: 1, total: null })).toBe('1 difference');
  expect(failingInWords({ type: 'Range', failing: 3, total: 1_200 })).toBe('3 of 1,200 rows broke it');
  expect(failingInWords({ type: 'CustomSql', failing: 1, total: null })).toBe('1 row broke it');
  expect(failingInWords({ type: 'Freshness', failing: null, total: 4 })).toBe('');
});
