import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { problemHelpOf, Refusal, rawAnswer, type Svc, toProblem } from '@svc/server';
import { urlHost } from './listening/address.ts';
import { type Listener, listen } from './listening/ports.ts';

/** The standalone process's own HTTP server around the service. */
export type HostServer = {
  readonly origin: string;
  /** Says "not ready" from now on, so that a load balancer sends nobody any more. */
  readonly announceStop: () => void;
  /**
   * Stops without resetting a connection on which a request may be on its way. Connections of before the stop are closed
   * with their next answer. After 2 s no new connections are taken, and those that are left are closed with their next
   * answer; connections without one are closed after 4 s more. Running requests have another 15 s.
   *
   * @param options.drains  false cuts every connection at once: of a start that failed nobody was promised anything.
   */
  readonly close: (options: { readonly drains: boolean }) => Promise<void>;
};

const headerTimeoutMs = 15_000;
const requestTimeoutMs = 120_000;
const keepAliveTimeoutMs = 65_000;
const headerBytesMax = 16_384;
const drainMs = 15_000;
/** Time in which a stop still takes new connections: a load balancer needs it to notice. */
const leaveMs = 2_000;
/** Time in which the connections that are left then may send one more request. */
const lastRequestMs = 4_000;
const leavePollMs = 20;
/** As the service's own answer says while the database is away. */
const retryAfterSeconds = 5;

/** Mounts the service under `/svc`, probes beside it, and sends `/` there; without the role Web the probes alone. */
export async function startHttpServer(
  svc: Svc,
  options: { listener: Listener; basePath: string; isWeb: boolean },
): Promise<HostServer> {
  const { basePath, isWeb } = options;
  let isStopping = false;
  let isListening = true;
  /** Connections of before the stop. */
  const early = new WeakSet<Socket>();
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      requestTimeout: requestTimeoutMs,
      headersTimeout: headerTimeoutMs,
      // Programs that offer HTTP/2 with every request are served as they are: only WebSockets are an upgrade.
      shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? ''),
    },
    (request, response) => {
      // A client that reconnects during the stop retains that connection: one that connects in the moment in which the
      // server stops listening is reset by the system.
      const isLast = !isListening || (isStopping && early.has(request.socket));
      if (isLast) response.setHeader('connection', 'close');
      svc.handle(request, response, () => {
        answerOwn({ svc, basePath, isWeb, isStopping }, request, response).catch(() => {
          // Nothing but the database is asked on the way.
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
      // The server's own method would also cut the connections that are about to send a request.
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

/** Resolves when no connection is open any more, or after that time. */
async function connectionsLeft(server: Server, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  while (performance.now() < until && (await countConnections(server)) > 0) await delay(leavePollMs);
}

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

/** Paths of the host's own: probes, the root that leads to the service, and types of problems that lead to their help. */
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

/** Answer to bytes that are no HTTP request: no request object exists at that point. */
function malformedAnswer(code: string | undefined, basePath: string): string {
  if (code === 'HPE_HEADER_OVERFLOW') return rawAnswer(new Refusal('headers-too-large'), basePath);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return rawAnswer(new Refusal('request-timeout'), basePath);
  return rawAnswer(new Refusal('bad-request'), basePath);
}
