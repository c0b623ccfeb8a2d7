import { expect, test } from 'vitest';
import { readSystemProxy } from './system-proxy.ts';

test('the usual proxy variables are read, lower case first', () => {
  expect(
    readSystemProxy({
      HTTPS_PROXY: 'http://a:1',
      https_proxy: 'http://b:1',
      HTTP_PROXY: 'http://c:1',
      NO_PROXY: '.x',
    }),
  ).toEqual({ httpsProxy: 'http://b:1', httpProxy: 'http://c:1', noProxy: '.x' });
  expect(readSystemProxy({ HTTPS_PROXY: '', no_proxy: '*' })).toEqual({ noProxy: '*' });
});

test('a header of a request cannot set the proxy', () => {
  expect(readSystemProxy({ REQUEST_METHOD: 'GET', HTTP_PROXY: 'http://evil:1' })).toEqual({});
});
