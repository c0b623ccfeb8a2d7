import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';

const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;

async function listen(server: net.Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** One request to the issue tracker. */
export type TrackerRequest = {
  readonly path: string;
  readonly authorization: string;
  readonly body: unknown;
};

/** Starts an on-premises issue tracker. Its searches return no issue, and it accepts each new issue. */
export async function startTracker() {
  const authority = await createTestAuthority();
  const received: TrackerRequest[] = [];
  const server = https.createServer(await authority.issue('127.0.0.1'), async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const path = request.url ?? '';
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null');
    received.push({ path, authorization: request.headers.authorization ?? '', body });
    const answer = path.endsWith('/search/jql') ? { issues: [] } : { id: '1', key: 'OPS-1' };
    response.writeHead(path.endsWith('/search/jql') ? 200 : 201, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await listen(server);
  return {
    url: `https://127.0.0.1:${portOf(server)}`,
    certificate: authority.certificate,
    received: received as readonly TrackerRequest[],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Starts a proxy that connects each tunnel to one HTTPS server, for any host name. Only the proxy resolves the name.
 */
export async function startProxiedHook(host: string) {
  const authority = await createTestAuthority();
  let arrived = 0;
  const target = https.createServer(await authority.issue(host), (request, response) => {
    request.resume().on('end', () => {
      arrived += 1;
      response.end('ok');
    });
  });
  const tunnels: string[] = [];
  const proxy = http.createServer();
  const sockets = new Set<net.Socket>();
  proxy.on('connect', (request, socket: net.Socket) => {
    tunnels.push(request.url ?? '');
    sockets.add(socket);
    socket.on('error', () => undefined);
    const upstream = net.connect(portOf(target), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
  });
  await listen(target);
  await listen(proxy);
  return {
    url: `http://127.0.0.1:${portOf(proxy)}`,
    certificate: authority.certificate,
    tunnels: tunnels as readonly string[],
    arrived: () => arrived,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      target.closeAllConnections();
      await Promise.all([proxy, target].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
