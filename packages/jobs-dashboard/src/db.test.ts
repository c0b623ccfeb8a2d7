import { describe, expect, it } from 'vitest';
import { isAway } from './db.ts';

describe('the check for an unavailable database', () => {
  it.each([
    ['ETIMEDOUT', 'The database did not answer within 15000 ms; the session was closed.'],
    ['57014', 'canceling statement due to statement timeout'],
    ['53300', 'sorry, too many clients already'],
    ['57P01', 'terminating connection due to administrator command'],
  ])('recognizes the code %s', (code, message) => {
    expect(isAway(Object.assign(new Error(message), { code }))).toBe(true);
  });

  it('recognizes the message of the driver, which has no code', () => {
    expect(isAway(new Error('timeout exceeded when trying to connect'))).toBe(true);
  });

  it('does not recognize an error of the program that mentions a timeout', () => {
    expect(isAway(new RangeError('answerTimeoutMs must be from 1 to 2147483647 ms: 0.'))).toBe(false);
  });
});
