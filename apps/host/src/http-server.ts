import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { problemHelpOf, Refusal, rawAnswer, type Svc, toProblem } from '@svc/server';
import { urlHost } from './listening/address.ts';
import { type Listener, listen } from './listening/ports.ts';

/** The HTTP server of the standalone process around the service. */
export type HostServer = {
  readonly origin: string;
  /** Reports "not ready" from now on, so that a load balancer sends no further requests. */
  readonly announceStop: () => void;
  /**
   * Stops without resetting a connection that may carry a request. Connections from before the stop close after their
   * next response. After 2 s the server accepts no new connections, and remaining connections close after their next
   * response. Connections without a request close 4 s later. Running requests get another 15 s.
   *
   * @param options.drains  false closes every connection immediately: a failed start has no clients.
   */
  readonly close: (options: { readonly drains: boolean }) => Promise<void>;
};

const headerTimeoutMs = 15_000;
const requestTimeoutMs = 120_000;
const keepAliveTimeoutMs = 65_000;
const headerBytesMax = 16_384;
const drainMs = 15_000;
/** Time in which a stop still accepts new connections, so that a load balancer notices it. */
const leaveMs = 2_000;
/** Time in which remaining connections may then send one more request. */
const lastRequestMs = 4_000;
const leavePollMs = 20;
/** Same value as in the service's response while the database is unavailable. */
const retryAfterSeconds = 5;

/**
 * Mounts the service under `/svc`, adds probes, and redirects `/` to the service. Without the role Web it serves only
 * the probes.
 */
export async function startHttpServer(
  svc: Svc,
  options: { listener: Listener; basePath: string; isWeb: boolean },
): Promise<HostServer> {
  const { basePath, isWeb } = options;
  let isStopping = false;
  let isListening = true;
  /** Connections from before the stop. */
  const early = new WeakSet<Socket>();
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      requestTimeout: requestTimeoutMs,
      headersTimeout: headerTimeoutMs,
      // Clients that offer HTTP/2 with every request are served over HTTP/1.1. Only WebSockets are an upgrade.
      shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? ''),
    },
    (request, response) => {
      // A client that reconnects during the stop retains its connection. The system resets a connection that opens at
      // the moment in which the server stops listening.
      const isLast = !isListening || (isStopping && early.has(request.socket));
      if (isLast) response.setHeader('connection', 'close');
      svc.handle(request, response, () => {
        answerOwn({ svc, basePath, isWeb, isStopping }, request, response).catch(() => {
          // Only the database can fail here.
          if (response.headersSent) response.destroy();
          else sendUnavailable(response, basePath);
        });
      });
    },
  );
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.on('connection', (socket) => {
    if (!isStopping) early.add(socket);
  });
  server.on('upgrade', (request, socket, head) => {
    if (!svc.upgrade(request, socket, head)) socket.destroy();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    return socket.end(malformedAnswer(error.code, basePath));
  });
  await listen(server, options.listener);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${urlHost(options.listener.address)}:${port}`,
    announceStop: () => {
      isStopping = true;
    },
    close: async ({ drains }) => {
      isStopping = true;
      if (drains) await connectionsLeft(server, leaveMs);
      const closed = once(server, 'close');
      // The HTTP server's `close` would also cut connections that are about to send a request.
      NetServer.prototype.close.call(server);
      isListening = false;
      if (drains) await connectionsLeft(server, lastRequestMs);
      server.closeIdleConnections();
      if (drains) setTimeout(() => server.closeAllConnections(), drainMs).unref();
      else server.closeAllConnections();
      await closed;
    },
  };
}

/** Resolves when all connections are closed, or after that time. */
async function connectionsLeft(server: Server, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  while (performance.now() < until && (await countConnections(server)) > 0) await delay(leavePollMs);
}

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

/**
 * Answers the host's own paths: probes, the root that redirects to the service, and problem types that redirect to
 * their help.
 */
async function answerOwn(
  { svc, basePath, isWeb, isStopping }: { svc: Svc; basePath: string; isWeb: boolean; isStopping: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (path === '/livez') return sendJson(response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const isReady = !isStopping && (await svc.isReady());
    return isReady ? sendJson(response, 200, { status: 'ok' }) : sendUnavailable(response, basePath);
  }
  if (!isWeb) return sendProblem(response, new Refusal('not-found'), basePath);
  if (await svc.isSetupOpen()) return redirect(response, `${basePath}/svc/setup`);
  if (path === '/') return redirect(response, `${basePath}/svc`);
  const help = problemHelpOf(path);
  if (help !== undefined) return redirect(response, basePath + help);
  return sendProblem(response, new Refusal('not-found'), basePath);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

function sendUnavailable(response: ServerResponse, basePath: string): void {
  response.setHeader('retry-after', String(retryAfterSeconds));
  sendProblem(response, new Refusal('unavailable'), basePath);
}

function sendProblem(response: ServerResponse, problem: Refusal, basePath: string): void {
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(problem.status, headers).end(JSON.stringify(toProblem(problem, { basePath })));
}

/** Returns the response to bytes that are not an HTTP request: no request object exists at that point. */
function malformedAnswer(code: string | undefined, basePath: string): string {
  if (code === 'HPE_HEADER_OVERFLOW') return rawAnswer(new Refusal('headers-too-large'), basePath);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return rawAnswer(new Refusal('request-timeout'), basePath);
  return rawAnswer(new Refusal('bad-request'), basePath);
}
