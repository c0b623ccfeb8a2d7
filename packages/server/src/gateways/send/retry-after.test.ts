import { expect, test } from 'vitest';
import { retryAfterOf } from './retry-after.ts';

const now = () => new Date('2026-03-01T12:00:00Z');

test('Retry-After is read in seconds or as a date from 429 and 503', () => {
  expect(retryAfterOf(429, '0', now)).toBe(0);
  expect(retryAfterOf(503, ' 120 ', now)).toBe(120);
  expect(retryAfterOf(503, 'Sun, 01 Mar 2026 12:00:30 GMT', now)).toBe(30);
  expect(retryAfterOf(503, 'Sun, 01 Mar 2026 11:00:00 GMT', now)).toBe(0);
});

test('Retry-After is limited to one day', () => {
  expect(retryAfterOf(429, '9999999999', now)).toBe(86_400);
  expect(retryAfterOf(429, 'Fri, 31 Dec 9999 23:59:59 GMT', now)).toBe(86_400);
});

test.each([
  ['another status', 200, '5'],
  ['another failure', 500, '5'],
  ['410', 410, '5'],
])('Retry-After is ignored for %s', (_case, status, header) => {
  expect(retryAfterOf(status, header, now)).toBeUndefined();
});

test.each([
  undefined,
  '',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '99999999999',
  'tomorrow',
  '2026-03-01T12:00:30Z',
  'Sun, 99 Mar 2026 12:00:30 GMT',
  'Sun, 01 Mar 2026 12:00:30 GMT; x',
  ['5', '6'],
])('%j is ignored as an invalid Retry-After header', (header) => {
  expect(retryAfterOf(503, header, now)).toBeUndefined();
});
