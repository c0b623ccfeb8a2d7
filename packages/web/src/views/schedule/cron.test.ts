import { describe, expect, it } from 'vitest';
import { expressionOf, firstPlan, planOf } from './cron.ts';

describe('composing a schedule', () => {
  it.each([
    ['minutes', '*/15 * * * *'],
    ['hourly', '5 * * * *'],
    ['daily', '5 7 * * *'],
    ['weekdays', '5 7 * * 1-5'],
    ['weekly', '5 7 * * 1,4'],
    ['monthly', '5 7 28 * *'],
    ['custom', '0 0 1 1 *'],
  ] as const)('turns %s into %s', (kind, expression) => {
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

describe('parsing a schedule', () => {
  it.each([
    ['*/15 * * * *', 'minutes'],
    ['*/7 * * * *', 'custom'],
    ['5 * * * *', 'hourly'],
    ['5 7 * * *', 'daily'],
    ['5 7 * * 1-5', 'weekdays'],
    ['5 7 * * 1,4', 'weekly'],
    ['5 7 * * 4,1', 'custom'],
    ['5 7 28 * *', 'monthly'],
    ['5 7 28 * 1', 'custom'],
    ['5 7 32 * *', 'custom'],
    ['05 7 * * *', 'custom'],
    ['0 5 7 * * *', 'custom'],
    ['60 7 * * *', 'custom'],
    ['5 24 * * *', 'custom'],
    ['0 0 1 1 *', 'custom'],
    ['@daily', 'custom'],
  ])('reads %s as %s, and composes the same expression again', (expression, kind) => {
    const plan = planOf(expression);
    expect(plan.kind).toBe(kind);
    expect(expressionOf(plan)).toBe(expression);
  });
});
