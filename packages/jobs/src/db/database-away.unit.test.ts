import { describe, expect, test } from 'vitest';
import { isDatabaseAway } from './database-away.ts';

const said = (message: string, code?: string) => Object.assign(new Error(message), code && { code });

describe('the check for an unavailable database', () => {
  test.each([
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '25P03',
    '25P04',
    '25006',
    '53300',
    '08006',
    '08P01',
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'ERR_STREAM_DESTROYED',
  ])('recognizes the code %s', (code) => {
    expect(isDatabaseAway(said('said by the server or the system', code))).toBe(true);
  });

  test.each([
    'Connection terminated unexpectedly',
    'Connection terminated',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
  ])('recognizes the driver message "%s"', (message) => {
    expect(isDatabaseAway(said(message))).toBe(true);
  });

  test.each([
    ['a wrong statement', said('syntax error', '42601')],
    ['a statement timeout', said('canceling statement due to statement timeout', '57014')],
    [
      'a column name that contains such a message',
      said('column "connection terminated" does not exist', '42703'),
    ],
    ['another message', said('It broke.')],
    ['a value that is not an error', 'Connection terminated'],
  ])('does not recognize %s', (_what, error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});
