import net from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnector } from './connector.ts';
import { createOutbound } from './outbound.ts';
import { deliveryPolicy } from './policy.ts';
import { hostileDestinations, hostileNames } from './testing/hostile-destinations.ts';

let port = 0;
let connections = 0;
const listener = net.createServer((socket) => {
  connections += 1;
  socket.destroy();
});

const outbound = createOutbound({
  resolve: async (host) => {
    const addresses = hostileNames[host];
    if (addresses) return addresses;
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  },
});
const policy = deliveryPolicy('Webhook', {});
const withPort = (destination: string) => destination.replaceAll('{port}', String(port));

beforeAll(async () => {
  // Listens on every interface and both families: counts every connection to this machine on this port.
  await new Promise<void>((done) => listener.listen({ host: '::', port: 0, ipv6Only: false }, done));
  const address = listener.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

afterAll(async () => {
  await outbound.close();
  await new Promise((done) => listener.close(done));
});

async function connectTo(address: string): Promise<void> {
  const before = connections;
  const socket = net.connect(port, address).on('error', () => undefined);
  await expect.poll(() => connections).toBe(before + 1);
  socket.destroy();
  connections = before;
}

test('the listener counts real connections', async () => {
  await connectTo('127.0.0.1');
  await connectTo('::1');
});

test('the table contains at least 300 different destinations', () => {
  expect(new Set(hostileDestinations).size).toBeGreaterThanOrEqual(300);
});

describe('hostile destinations', () => {
  test('are refused without a connection when they are saved', async () => {
    const accepted: string[] = [];
    for (const destination of hostileDestinations) {
      const check = await outbound.checkDestination(withPort(destination), policy);
      if (check.ok) accepted.push(destination);
      else expect(check.message).not.toBe('');
    }
    expect(accepted).toEqual([]);
    expect(connections).toBe(0);
  });

  test('are refused without a connection when a request is sent', async () => {
    const wrong: unknown[] = [];
    for (const destination of hostileDestinations) {
      const url = withPort(destination);
      const result = await outbound.request({ url, method: 'POST', headers: {}, body: '{}', policy });
      const isRefused =
        !result.ok &&
        !result.mayHaveArrived &&
        ['DestinationRefused', 'AddressRefused'].includes(result.failure);
      if (!isRefused) wrong.push({ destination, result });
    }
    expect(wrong).toEqual([]);
    expect(connections).toBe(0);
  });

  test('are refused without a connection even if the check of the text is omitted', async () => {
    const connect = createConnector({
      policy,
      resolve: async (host) => hostileNames[host] ?? ['127.0.0.1'],
      deadlines: { resolveMs: 1_000, connectMs: 1_000, tlsMs: 1_000 },
      secureContext: tls.createSecureContext(),
    });
    const hosts = hostileDestinations
      .map(withPort)
      .filter((text) => URL.canParse(text))
      .map((text) => new URL(text).hostname)
      .filter((host) => host !== '' && host !== 'hooks.example.com');
    expect(hosts.length).toBeGreaterThan(250);
    const accepted: string[] = [];
    for (const hostname of hosts) {
      const error = await new Promise<Error | null>((done) =>
        connect({ hostname, protocol: 'https:', port: String(port) }, (...[failure]) => done(failure)),
      );
      if (!error || !('code' in error) || error.code !== 'AddressRefused') accepted.push(hostname);
    }
    expect(accepted).toEqual([]);
    expect(connections).toBe(0);
  });
});
