import { type HttpProblemCode, problemCodes, problemEntry, problemType } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { BusinessRuleError } from './business-rule.ts';
import { badRequest, conflict, Refusal } from './refusal.ts';

describe('a refusal', () => {
  const codes = (Object.keys(problemCodes) as (keyof typeof problemCodes)[]).filter(
    (code): code is HttpProblemCode => problemEntry(code).status !== null,
  );

  test('has the status, title and type of its code in the table', () => {
    expect(codes.length).toBeGreaterThan(100);
    for (const code of codes) {
      const { status, title } = problemEntry(code);
      expect(new Refusal(code)).toMatchObject({ code, status, title, type: problemType(code) });
    }
  });

  test('accepts only codes of the table and has their status', () => {
    // @ts-expect-error A code that the table does not have.
    expect(() => new Refusal('no-such-code')).toThrow(TypeError);
    // @ts-expect-error A code of tools, which has no status.
    expect(new Refusal('no-project').status).toBeNull();
    // @ts-expect-error 409, not 400: the table decides.
    expect(badRequest('name-taken', '').status).toBe(409);
    expect(conflict('name-taken', '').status).toBe(409);
  });
});

describe('a broken business rule', () => {
  test('has its own type if its code is in the table, and about:blank if the code belongs to the host', () => {
    expect(new BusinessRuleError('No.', { code: 'weak-password' })).toMatchObject({
      status: 400,
      type: '/svc/help/errors#weak-password',
      title: 'Weak password',
    });
    expect(new BusinessRuleError('No.', { code: 'weekdays' })).toMatchObject({
      status: 400,
      type: 'about:blank',
      title: 'Bad Request',
    });
    expect(new BusinessRuleError('No.').code).toBe('broken-rule');
  });
});
