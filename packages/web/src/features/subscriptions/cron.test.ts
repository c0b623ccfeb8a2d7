import { describe, expect, it } from 'vitest';
import { expressionOf, firstPlan } from './cron.ts';

describe('a schedule that is put together', () => {
  it.each([
    ['minutes', '*/15 * * * *'],
    ['hourly', '5 * * * *'],
    ['daily', '5 7 * * *'],
    ['weekdays', '5 7 * * 1-5'],
    ['weekly', '5 7 * * 1,4'],
    ['monthly', '5 7 28 * *'],
    ['custom', '0 0 1 1 *'],
  ] as const)('%s becomes %s', (kind, expression) => {
    const plan = {
      ...firstPlan,
      kind,
      time: '07:05',
      weekdays: [4, 1],
      dayOfMonth: 28,
      expression: ' 0 0 1 1 * ',
    };
    expect(expressionOf(plan)).toBe(expression);
  });
});
