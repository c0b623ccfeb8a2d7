import { type HttpProblemCode, problemCodes, problemEntry, problemType } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { BusinessRuleError } from './business-rule.ts';
import { badRequest, conflict, Refusal } from './refusal.ts';

describe('a refusal', () => {
  const codes = (Object.keys(problemCodes) as (keyof typeof problemCodes)[]).filter(
    (code): code is HttpProblemCode => problemEntry(code).status !== null,
  );

  test('takes status, title and type from the table, whatever its code', () => {
    expect(codes.length).toBeGreaterThan(100);
    for (const code of codes) {
      const { status, title } = problemEntry(code);
      expect(new Refusal(code)).toMatchObject({ code, status, title, type: problemType(code) });
    }
  });

  test('has a code of the table, of the status that its maker speaks of', () => {
    // @ts-expect-error A code that the table does not have.
    expect(() => new Refusal('no-such-code')).toThrow(TypeError);
    // @ts-expect-error A code of tools, which has no status.
    expect(new Refusal('no-project').status).toBeNull();
    // @ts-expect-error 409, not 400: the table decides.
    expect(badRequest('name-taken', '').status).toBe(409);
    expect(conflict('name-taken', '').status).toBe(409);
  });
});

describe('a broken rule', () => {
  test('with a code of the table is explained there; one of the host says that the status is all', () => {
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
