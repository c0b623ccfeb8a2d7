import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { createTestAuthority, type TestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOutbound } from './outbound.ts';
import { deliveryPolicy } from './policy.ts';
import type { Outbound, SystemProxy } from './port.ts';

const portOf = (server: net.Server) => (server.address() as AddressInfo).port;
const policy = deliveryPolicy('Webhook', { useSystemProxy: true });
const tunnels: string[] = [];
const open: Outbound[] = [];
let authority: TestAuthority;
let target: https.Server;
let isProxyWilling = true;

// Only the proxy knows the name of the target. It connects every tunnel to the test's server.
const proxy = http.createServer();
proxy.on('connect', (request, socket) => {
  tunnels.push(request.url ?? '');
  socket.on('error', () => undefined);
  if (!isProxyWilling) {
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  const upstream = net.connect(portOf(target), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
});

beforeAll(async () => {
  authority = await createTestAuthority();
  target = https.createServer(await authority.issue('hooks.example.com'), (request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  target.on('tlsClientError', () => undefined);
  await Promise.all(
    [proxy, target].map((server) => {
      server.listen(0, '127.0.0.1');
      return once(server, 'listening');
    }),
  );
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((outbound) => outbound.close()));
  tunnels.length = 0;
  isProxyWilling = true;
});

afterAll(() => {
  proxy.close();
  target.close();
});

function gateway(settings: Partial<SystemProxy> = {}, trusted = [authority.certificate]): Outbound {
  const outbound = createOutbound({
    resolve: async () => ['127.0.0.1'],
    trustedCertificates: trusted,
    proxy: { httpsProxy: `http://127.0.0.1:${portOf(proxy)}`, ...settings },
  });
  open.push(outbound);
  return outbound;
}

const post = (outbound: Outbound, url: string) =>
  outbound.request({ url, method: 'POST', headers: {}, body: '{}', policy });

test('with the system proxy, the proxy resolves names', async () => {
  const outbound = gateway();
  const url = 'https://hooks.example.com/x';
  expect(await outbound.checkDestination(url, policy)).toMatchObject({ ok: true, isResolved: false });
  expect(await post(outbound, url)).toMatchObject({ ok: true, status: 200 });
  expect(tunnels).toEqual(['hooks.example.com:443']);
});

test('certificates are verified through the tunnel', async () => {
  expect(await post(gateway({}, []), 'https://hooks.example.com/x')).toMatchObject({ ok: false });
  expect(await post(gateway(), 'https://other.example.com/x')).toMatchObject({ ok: false });
});

test('addresses, local names and metadata names are refused before the proxy receives them', async () => {
  const outbound = gateway();
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '2130706433',
    '169.254.169.254',
    'localhost',
    'a.localhost',
    'metadata.google.internal',
  ]) {
    expect(await post(outbound, `https://${host}/x`)).toMatchObject({ failure: 'DestinationRefused' });
    expect(await outbound.checkDestination(`https://${host}/x`, policy)).toMatchObject({ ok: false });
  }
  expect(tunnels).toEqual([]);
});

test('hosts that are excluded from the proxy are dialled directly, with the full check', async () => {
  const outbound = gateway({ noProxy: '.example.com' });
  expect(await post(outbound, 'https://hooks.example.com/x')).toMatchObject({ failure: 'AddressRefused' });
  expect(tunnels).toEqual([]);
});

test('a refusal of the proxy is reported as a failed connection', async () => {
  isProxyWilling = false;
  expect(await post(gateway(), 'https://hooks.example.com/x')).toMatchObject({
    ok: false,
    failure: 'ConnectionFailed',
    mayHaveArrived: false,
  });
});

test('without a configured proxy the environment is ignored', async () => {
  const before = process.env['HTTPS_PROXY'];
  process.env['HTTPS_PROXY'] = `http://127.0.0.1:${portOf(proxy)}`;
  try {
    const outbound = createOutbound({ resolve: async () => ['127.0.0.1'] });
    open.push(outbound);
    expect(await post(outbound, 'https://hooks.example.com/x')).toMatchObject({ failure: 'AddressRefused' });
  } finally {
    if (before === undefined) delete process.env['HTTPS_PROXY'];
    else process.env['HTTPS_PROXY'] = before;
  }
  expect(tunnels).toEqual([]);
});
