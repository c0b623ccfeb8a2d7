import { expect, test } from 'vitest';
import { urlHost } from './address.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['svc.example.org', 'svc.example.org'],
  ['::1', '[::1]'],
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
])('the URL of a listener on %s contains the host %s', (address, host) => {
  expect(urlHost(address)).toBe(host);
});
