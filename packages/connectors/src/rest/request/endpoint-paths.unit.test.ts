import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOfEndpoint } from './endpoint-paths.ts';

describe('the path pattern of an endpoint', () => {
  it.each([
    ['/orders', '/orders', true],
    ['/orders', '/orders/', false],
    ['/orders/', '/orders/', true],
    ['/orders/{id}', '/orders/1', true],
    ['/orders/{id}', '/orders/', false],
    ['/orders/{id}', '/orders/1/lines', false],
    ['/orders/{id}', '/orders/1/', false],
    ['/compare/{a}...{b}', '/compare/x...y', true],
    ['/compare/{a}...{b}', '/compare/...y', false],
    ['/compare/{a}...{b}', '/compare/x....', true],
    ['/compare/{a}...{b}', '/compare/x...', false],
    ['/{a}{b}', '/xy', true],
    ['/{a}{b}', '/x', false],
    ['/x.{type}', '/x.json', true],
    ['/x.{type}', '/xyjson', false],
    ['/{a}', '/%20', true],
    ['/', '/', true],
    ['/', '', false],
  ])('%s matches %s: %s', (endpoint, path, isPath) => {
    expect(isOfEndpoint(endpoint, path)).toBe(isPath);
  });

  it('matches the same paths as its regular expression', () => {
    const part = fc.constantFrom('{a}', '{bc}', '.', '..', 'x', 'xx', '/', '-');
    const endpoints = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`);
    const paths = fc.array(fc.constantFrom('.', 'x', '/', '-', 'y'), { maxLength: 12 });
    fc.assert(
      fc.property(endpoints, paths, (endpoint, path) => {
        const pattern = endpoint.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
        expect(isOfEndpoint(endpoint, `/${path.join('')}`)).toBe(
          new RegExp(`^${pattern}$`).test(`/${path.join('')}`),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it('is compared correctly even with 80 placeholders and a very long path', () => {
    const endpoint = `/${'{a}.'.repeat(80)}end`;
    for (const path of ['.', 'x.', '..x'].map((part) => `/${part.repeat(30_000)}`))
      expect(isOfEndpoint(endpoint, path)).toBe(false);
    expect(isOfEndpoint(endpoint, `/${'x.'.repeat(30_000)}end`)).toBe(true);
  });
});
