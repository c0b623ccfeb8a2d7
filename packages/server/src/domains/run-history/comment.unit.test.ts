import { describe, expect, test } from 'vitest';
import { commentForReaders, commentOf } from './comment.ts';

describe('the comment of a run', () => {
  test('does not exist for a run without a reason', () => {
    expect(commentOf({ reason: null, detail: null })).toBeNull();
  });

  test('names failed and skipped recipients by id, with a generic reason', () => {
    const detail = {
      failed: [{ recipientId: 7, reason: 'words of the destination' }],
      skipped: [{ recipientId: 8, reason: 'AwaitingApproval' }],
    };
    expect(commentOf({ reason: 'DeliveriesFailed', detail })).toMatch(
      /^Recipient 7: (?!.*words).* Recipient 8 was skipped: The recipient awaits approval\.$/,
    );
  });

  test('names the setting of an exceeded limit', () => {
    expect(commentOf({ reason: 'ResultTooLarge', detail: { limit: 10 } })).toContain(
      'Svc:Query:MaxExecutionRows',
    );
  });

  test('contains the message of the database only for users who can read the query', () => {
    const stored = {
      reason: 'QueryFailed',
      detail: { stepOrder: 2, error: { message: 'column "a" does not exist', line: 3, column: 4 } },
    };
    expect(commentForReaders(stored)).toBe(
      'The query failed in step 2, line 3, column 4: column "a" does not exist',
    );
    expect(commentOf(stored)).toBe('The query failed in step 2. Preview it to see what the database says.');
    const earlier = { reason: 'QueryFailed', detail: { stepOrder: 2 } };
    expect(commentForReaders(earlier)).toBe(commentOf(earlier));
  });

  test.each([
    ['words of a database', null],
    ['constructor', null],
    ['DeliveriesFailed', null],
    ['DeliveriesFailed', { failed: 'x' }],
  ])('is the generic reason for the stored reason %s with the detail %j', (reason, detail) => {
    expect(commentOf({ reason, detail })).toBe('The run failed.');
  });
});
