import { once } from 'node:events';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer, type HooksServer, post, startHooksServer } from './testing/hooks-server.ts';

let hooks: HooksServer;

beforeAll(async () => {
  hooks = await startHooksServer();
});
afterEach(() => hooks.reset());
afterAll(() => hooks.close());

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
    const outbound = hooks.gateway({
      resolve: () => new Promise(() => undefined),
      deadlines: { resolveMs: 50 },
    });
    expect(await post(outbound, hooks.url())).toMatchObject({ failure: 'TimedOut', mayHaveArrived: false });
    expect(hooks.logged).toMatchObject([{ stage: 'resolve', host: 'hooks.example.com', policy: 'Webhook' }]);
  });

  test('a handshake that does not end causes a timeout', () =>
    withTcp(
      () => undefined,
      async (tcpPort) => {
        const outbound = hooks.gateway({ deadlines: { tlsMs: 50 } });
        expect(await post(outbound, `https://hooks.example.com:${tcpPort}/`)).toMatchObject({
          failure: 'TimedOut',
          mayHaveArrived: false,
        });
        expect(hooks.logged).toMatchObject([{ stage: 'tls' }]);
      },
    ));

  test('a closed port, a hang-up during the handshake and a server without TLS are different failures', async () => {
    await withTcp(
      (socket) => socket.destroy(),
      async (tcpPort) => {
        expect(await post(hooks.gateway(), `https://hooks.example.com:${tcpPort}/`)).toMatchObject({
          failure: 'TlsFailed',
        });
      },
    );
    await withTcp(
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      async (tcpPort) => {
        expect(await post(hooks.gateway(), `https://hooks.example.com:${tcpPort}/`)).toMatchObject({
          failure: 'TlsNotSpoken',
        });
      },
    );
    expect(await post(hooks.gateway(), 'https://hooks.example.com:1025/')).toMatchObject({
      failure: 'ConnectionFailed',
    });
  });

  test('a missing answer ends at the deadlines for the first byte and for the complete request', async () => {
    hooks.handler = () => undefined;
    expect(await post(hooks.gateway(), hooks.url(), { firstByteTimeoutMs: 60 })).toMatchObject({
      failure: 'TimedOut',
      mayHaveArrived: true,
    });
    expect(await post(hooks.gateway(), hooks.url(), { totalTimeoutMs: 60 })).toMatchObject({
      failure: 'TimedOut',
    });
  });

  test('a connection that ends before the answer is reported as lost', async () => {
    hooks.handler = (request) => request.socket.destroy();
    expect(await post(hooks.gateway(), hooks.url())).toMatchObject({
      failure: 'ConnectionLost',
      mayHaveArrived: true,
    });
  });

  test('an answer that is not HTTP is reported as invalid', async () => {
    hooks.handler = (request) => request.socket.end('SSH-2.0-x\r\n\r\n');
    expect(await post(hooks.gateway(), hooks.url())).toMatchObject({ failure: 'InvalidAnswer' });
  });

  test('headers beyond the limit are reported as an invalid answer', async () => {
    hooks.handler = (request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'a'.repeat(900)}\r\n`.repeat(40)}`);
    };
    expect(await post(hooks.gateway(), hooks.url())).toMatchObject({ failure: 'InvalidAnswer' });
  });

  test('an incomplete or hanging body does not change the received status', async () => {
    hooks.handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      response.socket?.destroySoon();
    };
    expect(await post(hooks.gateway(), hooks.url())).toMatchObject({
      ok: true,
      status: 200,
      isBodyComplete: false,
    });
    hooks.handler = (_request, response) => {
      response.writeHead(500, { 'content-length': '1000' }).write('half');
    };
    expect(await post(hooks.gateway(), hooks.url())).toMatchObject({ ok: true, status: 500 });
  });

  test('an answer of ten megabytes is read up to 64 KB, and the connection is cut', async () => {
    const cut = Promise.withResolvers<void>();
    hooks.handler = (_request, response) => {
      response.on('close', () => cut.resolve());
      response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024));
    };
    const result = await post(hooks.gateway(), hooks.url());
    expect(result).toMatchObject({ ok: true, status: 200, bytesReceived: 65_536, isBodyComplete: false });
    await cut.promise;
  });

  test('a cancelled request ends immediately, before the connection and after it', async () => {
    const outbound = hooks.gateway({ resolve: () => new Promise(() => undefined) });
    expect(await post(outbound, hooks.url(), { signal: AbortSignal.abort() })).toMatchObject({
      failure: 'Cancelled',
      mayHaveArrived: false,
    });
    const controller = new AbortController();
    hooks.handler = () => controller.abort();
    expect(await post(hooks.gateway(), hooks.url(), { signal: controller.signal })).toMatchObject({
      failure: 'Cancelled',
      mayHaveArrived: true,
    });
  });

  test('a request that is cancelled while connecting is never written', async () => {
    hooks.handler = answer(200);
    const gate = Promise.withResolvers<string[]>();
    const outbound = hooks.gateway({ resolve: () => gate.promise });
    const controller = new AbortController();
    const result = post(outbound, hooks.url(), { signal: controller.signal });
    controller.abort();
    expect(await result).toMatchObject({ failure: 'Cancelled', mayHaveArrived: false });
    gate.resolve(['127.0.0.1']);
    await expect.poll(() => hooks.connections).toBe(1);
    // A second request on the same pool is served, so the first one had its turn before.
    expect(await post(outbound, hooks.url('/second'))).toMatchObject({ ok: true });
    expect(hooks.seen.map((request) => request.url)).toEqual(['/second']);
  });

  test('fifty requests to a hanging host do not delay another host', async () => {
    hooks.handler = (request, response) => {
      if (request.headers.host?.startsWith('hooks')) answer(200)(request, response);
    };
    const outbound = hooks.gateway();
    const stop = new AbortController();
    const hanging = Array.from({ length: 50 }, () =>
      post(outbound, `https://127.0.0.1:${hooks.port}/hang`, { signal: stop.signal }),
    );
    expect(await post(outbound, hooks.url())).toMatchObject({ ok: true });
    // All fifty run concurrently: none waits for another to end.
    await expect.poll(() => hooks.seen.length).toBe(51);
    stop.abort();
    for (const result of await Promise.all(hanging)) expect(result).toMatchObject({ failure: 'Cancelled' });
  });
});
