import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { createOutbound } from '../outbound.ts';
import { deliveryPolicy } from '../policy.ts';
import type { Outbound, OutboundDetail, OutboundOptions } from '../port.ts';

type SeenRequest = {
  readonly host?: string | undefined;
  readonly servername: string | false | null;
  readonly url?: string | undefined;
};

/** Permits loopback addresses. */
export const policy = deliveryPolicy('Webhook', { allowedPrivateNetworks: { Webhook: ['127.0.0.0/8'] } });

export type HooksServer = Awaited<ReturnType<typeof startHooksServer>>;

/** Starts an HTTPS server named `hooks.example.com`, and opens outbound gateways that trust it. */
export async function startHooksServer() {
  const authority = await createTestAuthority();
  const opened: Outbound[] = [];
  const hooks = {
    port: 0,
    connections: 0,
    /** Answers each request. A test sets it. */
    handler: ((_request, response) => response.end()) as RequestListener,
    seen: [] as SeenRequest[],
    logged: [] as OutboundDetail[],
    authority,
    gateway: (options: OutboundOptions = {}): Outbound => {
      const outbound = createOutbound({
        resolve: async () => ['127.0.0.1'],
        trustedCertificates: [authority.certificate],
        log: (detail) => hooks.logged.push(detail),
        ...options,
      });
      opened.push(outbound);
      return outbound;
    },
    url: (path = '/hook') => `https://hooks.example.com:${hooks.port}${path}`,
    /** Closes the gateways of a test. */
    reset: async () => {
      await Promise.all(opened.splice(0).map((outbound) => outbound.close()));
      hooks.seen.length = 0;
      hooks.logged.length = 0;
      hooks.connections = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  const server = https.createServer(
    await authority.issue('hooks.example.com', '127.0.0.1'),
    (request, response) => {
      const { servername } = request.socket as TLSSocket & { servername: string | false };
      hooks.seen.push({ host: request.headers.host, servername, url: request.url });
      hooks.handler(request, response);
    },
  );
  server.on('connection', () => {
    hooks.connections += 1;
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  hooks.port = typeof address === 'object' && address ? address.port : 0;
  return hooks;
}

export const post = (outbound: Outbound, url: string, rest = {}) =>
  outbound.request({ url, method: 'POST', headers: {}, body: '{"a":1}', policy, ...rest });

export const answer =
  (status: number, body = 'fine', headers = {}): RequestListener =>
  (request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status, headers).end(body));
  };
