import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { InboxCertificates } from './certificates.ts';
import { type InboxEntry, inboxPage } from './page.ts';

/** Server of the inbox: accepts deliveries by HTTPS and shows them on a page. */
type InboxServer = {
  /** URL for deliveries. */
  readonly deliveryUrl: string;
  /** URL of the page that shows them. */
  readonly pageUrl: string;
  readonly close: () => Promise<void>;
};

/** Address for access from this machine, for any listening address. */
const loopback = '127.0.0.1';
const keptEntriesMax = 100;
const bodyBytesMax = 1_048_576;
/** First byte of a TLS handshake record. */
const tlsHandshake = 0x16;

/** Address and preferred port of the inbox. If the port is taken, it uses any free one. */
type Place = { readonly address: string; readonly port: number };

/**
 * Starts the inbox on one port with two protocols. Deliveries use HTTPS, with a certificate of the inbox's authority.
 * The page uses plain HTTP, so that a browser shows no warning about that authority.
 */
export async function startInboxServer(place: Place, certificates: InboxCertificates): Promise<InboxServer> {
  const entries: InboxEntry[] = [];
  let received = 0;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    readBody(request, bodyBytesMax)
      .then((body) => {
        received += 1;
        entries.unshift({
          number: received,
          receivedAt: new Date(),
          contentType: request.headers['content-type'] ?? '',
          body,
        });
        entries.length = Math.min(entries.length, keptEntriesMax);
        response.writeHead(204).end();
      })
      .catch(() => response.destroy());
  };
  const show = (request: IncomingMessage, response: ServerResponse): void => {
    const isData = request.url === '/entries.json';
    response.writeHead(request.method === 'GET' ? 200 : 405, {
      'content-type': isData ? 'application/json' : 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    });
    response.end(isData ? JSON.stringify({ received, entries }) : inboxPage(entries, received));
  };
  const tls = createTlsServer(
    { key: certificates.key, cert: `${certificates.certificate}\n${certificates.authority}` },
    (request, response) => (request.method === 'POST' ? take(request, response) : show(request, response)),
  );
  const plain = createHttpServer(show);
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === tlsHandshake ? tls : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  await listen(server, place);
  const { port } = server.address() as AddressInfo;
  return {
    deliveryUrl: `https://${loopback}:${port}/`,
    pageUrl: `http://${loopback}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function listen(server: ReturnType<typeof createTcpServer>, place: Place): Promise<void> {
  const attempt = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, place.address, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
  await attempt(place.port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    return attempt(0);
  });
}

async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) throw new Error('The delivery is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
