import { describe, expect, it } from 'vitest';
import { bigqueryError } from './errors.ts';

const answer = (reason: string, message: string) => ({
  code: 400,
  message,
  errors: [{ message, domain: 'global', reason }],
  status: 'INVALID_ARGUMENT',
});

const placeOf = (place: string, sql: string) =>
  bigqueryError(answer('invalidQuery', `Unrecognized name: x at ${place}`), sql)?.position;

describe('errors of BigQuery', () => {
  it.each([
    ['authError', 'authentication-failed'],
    ['accessDenied', 'permission-denied'],
    ['bytesBilledLimitExceeded', 'too-many-bytes'],
    ['responseTooLarge', 'too-many-bytes'],
    ['stopped', 'cancelled'],
    ['timeout', 'timed-out'],
    ['invalidQuery', 'statement-failed'],
    ['quotaExceeded', 'statement-failed'],
    ['rateLimitExceeded', 'statement-failed'],
  ])('%s is reported as %s, with the message of the service', (reason, code) => {
    expect(bigqueryError(answer(reason, 'It failed.'), 'SELECT 1')).toMatchObject({
      code,
      message: 'It failed.',
      engineCode: reason,
      position: undefined,
    });
    expect(bigqueryError({ reason, message: 'It failed.' }, 'SELECT 1')).toMatchObject({ code });
  });

  it('contain the position in the statement', () => {
    expect(placeOf('[1:8]', 'SELECT x')).toEqual({ offset: 7, line: 1, column: 8 });
    expect(placeOf('[2:3]', 'SELECT\n  x')).toEqual({ offset: 9, line: 2, column: 3 });
    expect(placeOf('[2:3]', 'SELECT\r\n  x')).toEqual({ offset: 10, line: 2, column: 3 });
  });

  it('count code points for the column, and expand a tab to a multiple of eight', () => {
    expect(placeOf('[1:13]', "SELECT '😀', x")?.offset).toBe("SELECT '😀', ".length);
    expect(placeOf('[1:9]', '\tx')?.offset).toBe(1);
    expect(placeOf('[1:9]', 'ab\tx')?.offset).toBe(3);
  });

  it('contain no position that is outside the statement', () => {
    for (const place of ['[2:1]', '[1:99]', '[999999999:1]', '[x:1]'])
      expect(placeOf(place, 'SELECT x')).toBeUndefined();
  });

  it('limit the length of the message, and result only from a valid error response', () => {
    expect(bigqueryError(answer('invalidQuery', 'x'.repeat(5_000)), '')?.message).toHaveLength(2_000);
    for (const none of [undefined, null, 'error', [], {}, { message: 'x' }, { errors: [null], message: 'x' }])
      expect(bigqueryError(none, '')).toBeUndefined();
  });

  it.each(['at [', 'at [1:', ' ', '[', 'at [1:1', '9'])(
    'limit the message length for an endless repetition of %j',
    (unit) => {
      const error = bigqueryError(answer('invalidQuery', unit.repeat(1_000_000)), 'SELECT x', ['s3cret']);
      expect(error?.message).toHaveLength(2_000);
    },
  );
});
