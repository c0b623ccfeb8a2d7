import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestAuthority } from '../../../../../../tools/test/certificates.ts';

/** A request as the receiver saw it. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

/** A real HTTPS server under a private authority, which can misbehave by path. */
export type Receiver = {
  readonly url: (path: string) => string;
  readonly port: number;
  /** The authority to trust. */
  readonly certificate: string;
  readonly received: Received[];
  /** Connections seen, requests or not. */
  readonly connections: () => number;
  /** Called with each request once its body is there, before it is answered. */
  onReceived: (received: Received) => void | Promise<void>;
  readonly close: () => Promise<void>;
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

const statusPath = /^\/status\/(\d{3})/;

function answer(path: string, response: ServerResponse): void {
  const status = Number(statusPath.exec(path)?.[1] ?? 200);
  if (path.startsWith('/hang')) return;
  if (path.startsWith('/reset')) {
    response.socket?.destroy();
    return;
  }
  if (path.startsWith('/half')) {
    response.writeHead(200, { 'content-length': '1000' }).write('half a body');
    response.socket?.destroySoon();
    return;
  }
  if (path.startsWith('/slow-body')) {
    response.writeHead(200, { 'content-length': '1000' }).write('and then nothing');
    return;
  }
  if (path.startsWith('/large')) {
    response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024, 'secret words of the destination'));
    return;
  }
  if (path.startsWith('/redirect')) {
    response.writeHead(307, { location: '/status/200' }).end();
    return;
  }
  response.writeHead(status, { 'content-type': 'text/plain' }).end('secret words of the destination');
}

/** Starts a receiver on loopback for `hooks.example.com`. */
export async function startReceiver(): Promise<Receiver> {
  const authority = await createTestAuthority();
  const received: Received[] = [];
  let connections = 0;
  const handle: RequestListener = async (request, response) => {
    const path = request.url ?? '/';
    const entry = { path, headers: request.headers, body: await readBody(request) };
    received.push(entry);
    await receiver.onReceived(entry);
    answer(path, response);
  };
  const server = https.createServer(await authority.issue('hooks.example.com'), (request, response) => {
    Promise.resolve(handle(request, response)).catch(() => response.destroy());
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: (path) => `https://hooks.example.com:${port}${path}`,
    port,
    certificate: authority.certificate,
    received,
    connections: () => connections,
    onReceived: () => undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
