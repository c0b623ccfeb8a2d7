import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createOriginCheck } from './origin-check.ts';

const request = (host: string, options: { origin?: string; localAddress?: string } = {}) =>
  ({
    headers: { host, ...(options.origin !== undefined && { origin: options.origin }) },
    raw: { socket: { localAddress: options.localAddress ?? '10.0.0.1' } },
  }) as unknown as FastifyRequest;

const open = createOriginCheck({ hosts: [], isHostKnown: false, origins: ['https://chat.example.org/'] });
const restricted = createOriginCheck({ hosts: ['data.example.org'], isHostKnown: true, origins: [] });

test('a request without an origin passes for any host if no host is configured', () => {
  expect(() => open(request('anything:8080'))).not.toThrow();
});

test('on loopback only names of loopback are answered, not other names that resolve to it', () => {
  const localAddress = '127.0.0.1';
  for (const host of ['localhost:1', '127.0.0.1:8080', '[::1]:8080'])
    expect(() => open(request(host, { localAddress }))).not.toThrow();
  for (const host of ['evil.example', 'localhost.evil.example', '', '127.0.0.1.evil.example:80'])
    expect(() => open(request(host, { localAddress })), host).toThrow('Svc:Mcp:AllowedHosts');
});

test('requests to other hosts are refused if the host is configured', () => {
  expect(() => restricted(request('data.example.org'))).not.toThrow();
  expect(() => restricted(request('other.example.org'))).toThrow('Svc:Mcp:AllowedHosts');
});

test('an origin must be our own or an origin in the list of the operator', () => {
  expect(() => open(request('a.example', { origin: 'http://a.example' }))).not.toThrow();
  expect(() => open(request('a.example', { origin: 'https://chat.example.org' }))).not.toThrow();
  expect(() => restricted(request('data.example.org', { origin: 'https://data.example.org' }))).not.toThrow();
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
