import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createOriginCheck } from './origin-check.ts';

const request = (host: string, options: { origin?: string; localAddress?: string } = {}) =>
  ({
    headers: { host, ...(options.origin !== undefined && { origin: options.origin }) },
    raw: { socket: { localAddress: options.localAddress ?? '10.0.0.1' } },
  }) as unknown as FastifyRequest;

const open = createOriginCheck({ hosts: [], isHostKnown: false, origins: ['https://chat.example.org/'] });
const known = createOriginCheck({ hosts: ['data.example.org'], isHostKnown: true, origins: [] });

test('a request without an origin passes, also when it names no host of ours and none is known', () => {
  expect(() => open(request('anything:8080'))).not.toThrow();
});

test('on loopback only names of loopback are answered: a name that was pointed here is not', () => {
  const localAddress = '127.0.0.1';
  for (const host of ['localhost:1', '127.0.0.1:8080', '[::1]:8080'])
    expect(() => open(request(host, { localAddress }))).not.toThrow();
  for (const host of ['evil.example', 'localhost.evil.example', '', '127.0.0.1.evil.example:80'])
    expect(() => open(request(host, { localAddress })), host).toThrow('Svc:Mcp:AllowedHosts');
});

test('where the host is known no other is answered', () => {
  expect(() => known(request('data.example.org'))).not.toThrow();
  expect(() => known(request('other.example.org'))).toThrow('Svc:Mcp:AllowedHosts');
});

test('an origin is our own, or one that the operator named', () => {
  expect(() => open(request('a.example', { origin: 'http://a.example' }))).not.toThrow();
  expect(() => open(request('a.example', { origin: 'https://chat.example.org' }))).not.toThrow();
  expect(() => known(request('data.example.org', { origin: 'https://data.example.org' }))).not.toThrow();
  for (const origin of [
    'null',
    '',
    'https://evil.example',
    'file://',
    'https://a.example.evil.example',
    'a.example',
  ])
    expect(() => open(request('a.example', { origin })), origin).toThrow('Svc:Mcp:AllowedOrigins');
});
