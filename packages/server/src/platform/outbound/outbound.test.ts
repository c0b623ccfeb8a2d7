import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { createTestAuthority, type TestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOutbound } from './outbound.ts';
import { deliveryPolicy, identityProviderPolicy } from './policy.ts';
import type { Outbound, OutboundDetail, OutboundOptions } from './port.ts';

type Handler = RequestListener;

let authority: TestAuthority;
let server: https.Server;
let port = 0;
let handler: Handler;
let connections = 0;
const seen: { host?: string | undefined; servername: string | false | null; url?: string | undefined }[] = [];
const open: Outbound[] = [];
const logged: OutboundDetail[] = [];

const policy = deliveryPolicy('Webhook', { allowedPrivateNetworks: { Webhook: ['127.0.0.0/8'] } });
const closedPolicy = deliveryPolicy('Webhook', {});

function gateway(options: OutboundOptions = {}): Outbound {
  const outbound = createOutbound({
    resolve: async () => ['127.0.0.1'],
    trustedCertificates: [authority.certificate],
    log: (detail) => logged.push(detail),
    ...options,
  });
  open.push(outbound);
  return outbound;
}

const post = (outbound: Outbound, url: string, rest = {}) =>
  outbound.request({ url, method: 'POST', headers: {}, body: '{"a":1}', policy, ...rest });

beforeAll(async () => {
  authority = await createTestAuthority();
  server = https.createServer(
    await authority.issue('hooks.example.com', '127.0.0.1'),
    (request, response) => {
      const { servername } = request.socket as TLSSocket & { servername: string | false };
      seen.push({ host: request.headers.host, servername, url: request.url });
      handler(request, response);
    },
  );
  server.on('connection', () => {
    connections += 1;
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((outbound) => outbound.close()));
  seen.length = 0;
  logged.length = 0;
  connections = 0;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const url = (path = '/hook') => `https://hooks.example.com:${port}${path}`;
const answer =
  (status: number, body = 'fine', headers = {}): Handler =>
  (request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status, headers).end(body));
  };

describe('a request to an allowed destination', () => {
  test('is sent to the checked address under the original name, and its answer is discarded', async () => {
    handler = answer(200, 'a secret of the destination');
    const result = await post(gateway(), url('/a?b=c'));
    expect(result).toMatchObject({ ok: true, status: 200, bytesSent: 7, bytesReceived: 27 });
    expect(result.ok && result.body.length).toBe(0);
    expect(seen).toEqual([
      { host: `hooks.example.com:${port}`, servername: 'hooks.example.com', url: '/a?b=c' },
    ]);
    expect(logged).toEqual([]);
  });

  test('works for a literal address in an allowed network, with the certificate verified against the address', async () => {
    handler = answer(204, '');
    expect(await post(gateway(), `https://127.0.0.1:${port}/`)).toMatchObject({ ok: true, status: 204 });
    expect(await post(gateway(), `https://127.0.0.2:${port}/`)).toMatchObject({ ok: false });
  });

  test('returns the answer on request, up to the limit', async () => {
    handler = answer(200, 'x'.repeat(1_000));
    const complete = await post(gateway(), url(), { keepAnswer: true });
    expect(complete.ok && [complete.body.length, complete.isBodyComplete]).toEqual([1_000, true]);
    const cut = await post(gateway(), url(), { keepAnswer: true, answerBytesMax: 10 });
    expect(cut.ok && [cut.body.toString(), cut.isBodyComplete]).toEqual(['x'.repeat(10), false]);
  });

  test('uses one connection for consecutive requests', async () => {
    handler = answer(200);
    const outbound = gateway();
    await post(outbound, url());
    // The pool registers a free connection on the next turn.
    await setImmediate();
    await post(outbound, url());
    expect([connections, seen.length]).toEqual([1, 2]);
  });

  test('shares no connection with a stricter policy', async () => {
    handler = answer(200);
    const outbound = gateway();
    await post(outbound, url());
    expect(await post(outbound, url(), { policy: closedPolicy })).toMatchObject({
      failure: 'AddressRefused',
    });
    expect(seen).toHaveLength(1);
  });

  test('treats every HTTP status as an answer', async () => {
    for (const status of [200, 201, 400, 404, 410, 429, 500, 503]) {
      handler = answer(status);
      expect(await post(gateway(), url())).toMatchObject({ ok: true, status });
    }
  });
});

describe('host names', () => {
  test('a name that is public when saved and private when sent is not connected', async () => {
    handler = answer(200);
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const outbound = gateway({ resolve: async () => answers.shift() ?? ['127.0.0.1'] });
    expect(await outbound.checkDestination(url(), closedPolicy)).toMatchObject({
      ok: true,
      isResolved: true,
    });
    expect(await post(outbound, url(), { policy: closedPolicy })).toMatchObject({
      ok: false,
      failure: 'AddressRefused',
      mayHaveArrived: false,
    });
    expect(connections).toBe(0);
  });

  test('a name is resolved once per connection, and the checked address is dialled', async () => {
    handler = answer(200);
    let calls = 0;
    // A second resolution would return an address without a listener.
    const outbound = gateway({ resolve: async () => (calls++ === 0 ? ['127.0.0.1'] : ['127.9.9.9']) });
    expect(await post(outbound, url())).toMatchObject({ ok: true });
    expect(calls).toBe(1);
  });

  test('one private address among public ones refuses the name, in any order', async () => {
    for (const addresses of [
      ['127.0.0.1', '93.184.216.34'],
      ['93.184.216.34', '127.0.0.1'],
      ['2606:4700::1', '::ffff:127.0.0.1'],
    ]) {
      const outbound = gateway({ resolve: async () => addresses });
      expect(await post(outbound, url(), { policy: closedPolicy })).toMatchObject({
        failure: 'AddressRefused',
      });
      expect(await outbound.checkDestination(url(), closedPolicy)).toMatchObject({
        ok: false,
        refusal: 'AddressNotAllowed',
      });
    }
    expect(connections).toBe(0);
  });

  test('a second checked address is tried if the first one refuses', async () => {
    handler = answer(200);
    const outbound = gateway({ resolve: async () => ['127.5.5.5', '127.0.0.1'] });
    expect(await post(outbound, url())).toMatchObject({ ok: true });
  });

  test('a name that cannot be resolved can be saved, and fails at the request', async () => {
    const outbound = gateway({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await outbound.checkDestination(url(), policy)).toMatchObject({ ok: true, isResolved: false });
    expect(await post(outbound, url())).toMatchObject({ ok: false, failure: 'NameNotResolved' });
  });

  test('a resolution without addresses is a failure', async () => {
    expect(await post(gateway({ resolve: async () => [] }), url())).toMatchObject({
      failure: 'NameNotResolved',
    });
  });

  test('the system resolver is used by default', async () => {
    handler = answer(200);
    const outbound = gateway();
    const system = createOutbound({ trustedCertificates: [authority.certificate] });
    open.push(system);
    expect(await system.checkDestination(`https://localhost:${port}/`, closedPolicy)).toMatchObject({
      ok: false,
    });
    expect(await system.dial({ host: 'localhost', port: 5432 })).toMatchObject({
      host: 'localhost',
      port: 5432,
    });
    await outbound.close();
  });
});

describe('redirects', () => {
  for (const status of [301, 302, 303, 307, 308])
    test(`${status} is an answer and is not followed`, async () => {
      handler = (request, response) => {
        if (request.url === '/hook') answer(status, '', { location: url('/secret') })(request, response);
        else answer(200)(request, response);
      };
      expect(await post(gateway(), url())).toMatchObject({ ok: true, status });
      expect(seen).toHaveLength(1);
    });

  test('fetch does not follow redirects either', async () => {
    handler = answer(302, '', { location: url('/secret') });
    const fetch = gateway().fetchUnder(policy);
    await expect(fetch(url())).rejects.toThrow();
    expect((await fetch(url(), { redirect: 'manual' })).status).toBe(302);
    expect(seen.map((request) => request.url)).toEqual(['/hook', '/hook']);
  });
});

describe('certificates', () => {
  test('an unknown authority and another name are refused', async () => {
    handler = answer(200);
    expect(await post(gateway({ trustedCertificates: [] }), url())).toMatchObject({
      failure: 'CertificateNotTrusted',
    });
    expect(await post(gateway(), `https://other.example.com:${port}/`)).toMatchObject({
      failure: 'CertificateNotTrusted',
    });
    expect(seen).toEqual([]);
  });

  test('no environment variable disables the verification', async () => {
    handler = answer(200);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await post(gateway({ trustedCertificates: [] }), url())).toMatchObject({
        failure: 'CertificateNotTrusted',
      });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
    expect(seen).toEqual([]);
  });

  test('an unreadable trusted certificate stops the start with the name of its setting', () => {
    expect(() => createOutbound({ trustedCertificates: ['nonsense'] })).toThrow(
      /^Svc:Notifications:TrustedCertificates:0 names the file nonsense, which cannot be read/,
    );
    const broken = authority.certificate.replace(/MII/, 'AAA');
    expect(() => createOutbound({ trustedCertificates: [authority.certificate, broken] })).toThrow(
      /:1 holds/,
    );
  });
});

describe('faulty destinations', () => {
  /** A plain TCP server, for behaviour that no HTTPS server has. */
  async function withTcp(behave: (socket: net.Socket) => void, use: (port: number) => Promise<void>) {
    const sockets = new Set<net.Socket>();
    const tcp = net.createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      behave(socket);
    });
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const address = tcp.address();
    try {
      await use(typeof address === 'object' && address ? address.port : 0);
    } finally {
      for (const socket of sockets) socket.destroy();
      tcp.close();
    }
  }

  test('a name service that does not answer causes a timeout', async () => {
    const outbound = gateway({ resolve: () => new Promise(() => undefined), deadlines: { resolveMs: 50 } });
    expect(await post(outbound, url())).toMatchObject({ failure: 'TimedOut', mayHaveArrived: false });
    expect(logged).toMatchObject([{ stage: 'resolve', host: 'hooks.example.com', policy: 'Webhook' }]);
  });

  test('a handshake that does not end causes a timeout', () =>
    withTcp(
      () => undefined,
      async (tcpPort) => {
        const outbound = gateway({ deadlines: { tlsMs: 50 } });
        expect(await post(outbound, `https://hooks.example.com:${tcpPort}/`)).toMatchObject({
          failure: 'TimedOut',
          mayHaveArrived: false,
        });
        expect(logged).toMatchObject([{ stage: 'tls' }]);
      },
    ));

  test('a closed port, a hang-up during the handshake and a server without TLS are different failures', async () => {
    await withTcp(
      (socket) => socket.destroy(),
      async (tcpPort) => {
        expect(await post(gateway(), `https://hooks.example.com:${tcpPort}/`)).toMatchObject({
          failure: 'TlsFailed',
        });
      },
    );
    await withTcp(
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      async (tcpPort) => {
        expect(await post(gateway(), `https://hooks.example.com:${tcpPort}/`)).toMatchObject({
          failure: 'TlsNotSpoken',
        });
      },
    );
    expect(await post(gateway(), 'https://hooks.example.com:1025/')).toMatchObject({
      failure: 'ConnectionFailed',
    });
  });

  test('a missing answer ends at the deadlines for the first byte and for the complete request', async () => {
    handler = () => undefined;
    expect(await post(gateway(), url(), { firstByteTimeoutMs: 60 })).toMatchObject({
      failure: 'TimedOut',
      mayHaveArrived: true,
    });
    expect(await post(gateway(), url(), { totalTimeoutMs: 60 })).toMatchObject({ failure: 'TimedOut' });
  });

  test('a connection that ends before the answer is reported as lost', async () => {
    handler = (request) => request.socket.destroy();
    expect(await post(gateway(), url())).toMatchObject({ failure: 'ConnectionLost', mayHaveArrived: true });
  });

  test('an answer that is not HTTP is reported as invalid', async () => {
    handler = (request) => request.socket.end('SSH-2.0-x\r\n\r\n');
    expect(await post(gateway(), url())).toMatchObject({ failure: 'InvalidAnswer' });
  });

  test('headers beyond the limit are reported as an invalid answer', async () => {
    handler = (request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'a'.repeat(900)}\r\n`.repeat(40)}`);
    };
    expect(await post(gateway(), url())).toMatchObject({ failure: 'InvalidAnswer' });
  });

  test('an incomplete or hanging body does not change the received status', async () => {
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      response.socket?.destroySoon();
    };
    expect(await post(gateway(), url())).toMatchObject({ ok: true, status: 200, isBodyComplete: false });
    handler = (_request, response) => {
      response.writeHead(500, { 'content-length': '1000' }).write('half');
    };
    expect(await post(gateway(), url())).toMatchObject({ ok: true, status: 500 });
  });

  test('an answer of ten megabytes is read up to 64 KB, and the connection is cut', async () => {
    const cut = Promise.withResolvers<void>();
    handler = (_request, response) => {
      response.on('close', () => cut.resolve());
      response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024));
    };
    const result = await post(gateway(), url());
    expect(result).toMatchObject({ ok: true, status: 200, bytesReceived: 65_536, isBodyComplete: false });
    await cut.promise;
  });

  test('a cancelled request ends immediately, before the connection and after it', async () => {
    const outbound = gateway({ resolve: () => new Promise(() => undefined) });
    expect(await post(outbound, url(), { signal: AbortSignal.abort() })).toMatchObject({
      failure: 'Cancelled',
      mayHaveArrived: false,
    });
    const controller = new AbortController();
    handler = () => controller.abort();
    expect(await post(gateway(), url(), { signal: controller.signal })).toMatchObject({
      failure: 'Cancelled',
      mayHaveArrived: true,
    });
  });

  test('a request that is cancelled while connecting is never written', async () => {
    handler = answer(200);
    const gate = Promise.withResolvers<string[]>();
    const outbound = gateway({ resolve: () => gate.promise });
    const controller = new AbortController();
    const result = post(outbound, url(), { signal: controller.signal });
    controller.abort();
    expect(await result).toMatchObject({ failure: 'Cancelled', mayHaveArrived: false });
    gate.resolve(['127.0.0.1']);
    await expect.poll(() => connections).toBe(1);
    // A second request on the same pool is served, so the first one had its turn before.
    expect(await post(outbound, url('/second'))).toMatchObject({ ok: true });
    expect(seen.map((request) => request.url)).toEqual(['/second']);
  });

  test('fifty requests to a hanging host do not delay another host', async () => {
    handler = (request, response) => {
      if (request.headers.host?.startsWith('hooks')) answer(200)(request, response);
    };
    const outbound = gateway();
    const stop = new AbortController();
    const hanging = Array.from({ length: 50 }, () =>
      post(outbound, `https://127.0.0.1:${port}/hang`, { signal: stop.signal }),
    );
    expect(await post(outbound, url())).toMatchObject({ ok: true });
    // All fifty run concurrently: none waits for another to end.
    await expect.poll(() => seen.length).toBe(51);
    stop.abort();
    for (const result of await Promise.all(hanging)) expect(result).toMatchObject({ failure: 'Cancelled' });
  });
});

describe('results and log entries of requests', () => {
  test('a result contains no trace of the destination, and the log no path, query or header', async () => {
    handler = (request) => request.socket.destroy();
    const outbound = gateway();
    const result = await post(outbound, url('/secret-path?token=s3cret'), {
      headers: { 'x-api-key': 's3cret' },
    });
    expect(Object.keys(result).sort()).toEqual(['durationMs', 'failure', 'mayHaveArrived', 'ok']);
    expect(JSON.stringify(logged)).not.toMatch(/s3cret|secret-path/);
    expect(logged).toMatchObject([{ failure: 'ConnectionLost', stage: 'answer', host: 'hooks.example.com' }]);
  });

  test('a header that belongs to the connection is refused as an error of the caller', async () => {
    const outbound = gateway();
    for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'CONNECTION'])
      await expect(post(outbound, url(), { headers: { [name]: 'x' } })).rejects.toThrow(TypeError);
    expect(await post(outbound, url(), { headers: { 'x-a': 'b\r\nx-c: d' } })).toMatchObject({
      failure: 'RequestInvalid',
    });
  });

  test('no request is sent after close', async () => {
    const outbound = gateway();
    await outbound.close();
    expect(await post(outbound, url())).toMatchObject({ failure: 'Cancelled', mayHaveArrived: false });
  });
});

describe('fetch for client libraries', () => {
  test('is subject to the same policy', async () => {
    handler = answer(200, '{"keys":[]}', { 'content-type': 'application/json' });
    const outbound = gateway();
    const response = await outbound.fetchUnder(identityProviderPolicy())(url('/jwks'));
    expect(await response.json()).toEqual({ keys: [] });
    await expect(outbound.fetchUnder(closedPolicy)(url())).rejects.toThrow();
    await expect(
      outbound.fetchUnder(closedPolicy)(`http://hooks.example.com:${port}/`),
    ).rejects.toMatchObject({
      code: 'DestinationRefused',
    });
    expect(seen).toHaveLength(1);
  });

  test('ends at its deadline, and its failures are logged without the path', async () => {
    handler = () => undefined;
    const log = vi.fn();
    const fetch = gateway({ log }).fetchUnder(policy, { totalTimeoutMs: 60 });
    await expect(fetch(url('/secret-path'))).rejects.toThrow();
    await expect(gateway({ log }).fetchUnder(closedPolicy)(url('/secret-path'))).rejects.toThrow();
    expect(log.mock.calls).toMatchObject([
      [{ failure: 'TimedOut', policy: policy.name, port }],
      [{ failure: 'AddressRefused', stage: 'resolve', policy: closedPolicy.name }],
    ]);
    expect(JSON.stringify(log.mock.calls)).not.toContain('secret-path');
  });
});
