import { expect, it } from 'vitest';
import { assertOneRead } from '../sql/read-only-gate.ts';
import { databricksReads, databricksRefused } from '../testing/statements/databricks.ts';
import { databricksRules } from './rules.ts';

const passes = (sql: string): boolean => {
  try {
    assertOneRead(sql, databricksRules);
    return true;
  } catch {
    return false;
  }
};
it('x', () => {
  expect(databricksRefused.filter(passes)).toEqual([]);
});
it('y', () => {
  expect(databricksReads.filter((sql) => !passes(sql))).toEqual([]);
});
