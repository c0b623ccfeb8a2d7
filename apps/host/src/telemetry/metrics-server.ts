import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, Refusal, toProblem } from '@svc/server';
import { shareAddresses, urlHost } from '../listening/address.ts';
import { type Listener, listen } from '../listening/ports.ts';
import type { HostTelemetry } from './sdk.ts';

/** Listener of metrics, separate from the service's, so that its network can differ from the users'. */
export type MetricsServer = {
  /** URL of the metrics. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

export type MetricsServerOptions = {
  readonly config: Config;
  readonly listener: Listener;
  readonly answerMetrics: NonNullable<HostTelemetry['answerMetrics']>;
  readonly isReady: () => Promise<boolean>;
};

const requestTimeoutMs = 10_000;
const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/**
 * Checks the settings of metrics.
 *
 * @throws Error if other machines could read the metrics without a token, or if the metrics use the service's port.
 */
export function checkMetrics(config: Config): void {
  const address = config['Svc:Telemetry:Metrics:Address'];
  if (!config['Svc:Telemetry:Metrics:Enabled']) return;
  if (!loopback.test(address) && config['Svc:Telemetry:Metrics:Token'] === undefined)
    throw new Error(
      `The setting Svc:Telemetry:Metrics:Token is needed where the metrics listen on ${address}: other machines reach them there. Make one with: openssl rand -hex 16`,
    );
  const port = config['Svc:Telemetry:Metrics:Port'];
  const isSame = port !== 0 && port === config['Svc:Host:Port'];
  if (isSame && shareAddresses(address, config['Svc:Host:Address']))
    throw new Error(
      `The settings Svc:Telemetry:Metrics:Port and Svc:Host:Port are both ${port}: the metrics have a listener of their own. Choose another port for one of them.`,
    );
}

/**
 * Serves `/metrics`, `/livez` and `/readyz`. The settings must already be checked.
 *
 * @throws Error that states the obstacle to listening and the setting to change.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { listener } = options;
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    answer(options, request, response).catch(() => response.destroy());
  });
  await listen(server, listener);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${urlHost(listener.address)}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { config, answerMetrics, isReady }: MetricsServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0];
  response.setHeader('cache-control', 'no-store');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sendProblem(response, new Refusal('method-not-allowed', { headers: { allow: 'GET, HEAD' } }));
  if (path === '/livez') return sendStatus(response);
  if (path === '/readyz')
    return (await isReady()) ? sendStatus(response) : sendProblem(response, new Refusal('unavailable'));
  if (path !== '/metrics') return sendProblem(response, new Refusal('not-found'));
  if (!mayRead(config['Svc:Telemetry:Metrics:Token'], request.headers.authorization))
    return sendProblem(
      response,
      new Refusal('unauthorized', {
        detail: 'The metrics are read with the bearer token of Svc:Telemetry:Metrics:Token.',
        headers: { 'www-authenticate': 'Bearer' },
      }),
    );
  await answerMetrics(request, response);
}

/** Compares digests, so that the time reveals neither the length nor a common prefix. */
function mayRead(token: string | undefined, header: string | undefined): boolean {
  if (token === undefined) return true;
  const [, sent] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  if (sent === undefined) return false;
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(sent), digest(token));
}

const sendStatus = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');

function sendProblem(response: ServerResponse, problem: Refusal): void {
  response
    .writeHead(problem.status, { ...problem.headers, 'content-type': 'application/problem+json' })
    .end(JSON.stringify(toProblem(problem, { basePath: '' })));
}
