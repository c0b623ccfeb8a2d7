import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Dial } from '../../../../connectors/src/port.ts';
import { answerFaults, operationOf, requestFaults, type SeenRequest } from './facts.ts';
import type { Reply } from './statement-reply.ts';
import { createWorkspace, type Submission, type WorkspaceOptions } from './workspace.ts';

export { warehouseId } from './workspace.ts';

/** Server of one test file that implements the Statement Execution API of a workspace over TLS. */
export type TestDatabricks = {
  /** Host name that `dial` connects to this server. */
  readonly host: string;
  readonly port: number;
  readonly caCertificate: string;
  readonly dial: Dial;
  /** Statements in the order of arrival. */
  readonly submissions: readonly Submission[];
  /** Requests as `METHOD /path?query`. */
  readonly asked: readonly string[];
  /** Ids of cancelled statements. */
  readonly cancelled: ReadonlySet<string>;
  /** Ids of open sessions. */
  readonly openSessions: ReadonlySet<string>;
  /** Violations of the vendor's API description, and errors of this server. A test expects none. */
  readonly faults: readonly string[];
  /** Answers the next requests with these statuses. Requests that close a session are exempt. */
  readonly failNext: (...statuses: readonly number[]) => void;
  /** Withholds the response to submissions of a statement until the returned function is called. */
  readonly withhold: (statement: string) => () => void;
  /** Revokes all issued tokens, but no personal access tokens. */
  readonly revokeTokens: () => void;
  readonly stop: () => Promise<void>;
};

/** Authority that issues the server's certificate. */
export type Authority = {
  readonly certificate: string;
  readonly issue: (host: string) => Promise<{ readonly cert: string; readonly key: string }>;
};

export type DatabricksOptions = WorkspaceOptions & { readonly authority: Authority };

export const databricksHost = 'dbc-shop.databricks.test';

/** Connects the host of the workspace to the server's port, and other hosts unchanged. */
const dialTo =
  (port: number): Dial =>
  async (target, { signal }) => {
    const address = target.host === databricksHost ? { host: '127.0.0.1', port } : target;
    const socket = connect({ ...address, signal });
    await once(socket, 'connect');
    return socket;
  };

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const body = Buffer.from(JSON.stringify(reply.body));
  const isPacked = String(request.headers['accept-encoding']).includes('gzip');
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    ...(isPacked && { 'content-encoding': 'gzip' }),
  });
  response.end(isPacked ? gzipSync(body) : body);
}

/** Starts the server on loopback, with a certificate of the authority. */
export async function startDatabricksServer(options: DatabricksOptions): Promise<TestDatabricks> {
  const { authority } = options;
  const workspace = createWorkspace(options);
  const asked: string[] = [];
  const faults: string[] = [];
  let failing: number[] = [];

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `https://${databricksHost}`);
    const seen: SeenRequest = {
      method: request.method ?? '',
      url,
      headers: request.headers,
      body: await text(request),
    };
    asked.push(`${seen.method} ${request.url}`);
    faults.push(...requestFaults(seen));
    const name = operationOf(seen);
    if (!name) return void response.writeHead(404).end();
    const failure = name === 'close' ? undefined : failing.shift();
    const reply = failure === undefined ? await workspace.replyTo(name, seen) : { status: failure, body: {} };
    faults.push(...answerFaults(name, reply.status, reply.body));
    send(request, response, reply);
  };

  const { cert, key } = await authority.issue(databricksHost);
  const server = createServer({ cert, key }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      faults.push(`The server failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: databricksHost,
    port,
    caCertificate: authority.certificate,
    submissions: workspace.submissions,
    asked,
    cancelled: workspace.cancelled,
    openSessions: workspace.openSessions,
    faults,
    dial: dialTo(port),
    failNext: (...statuses) => {
      failing = [...statuses];
    },
    withhold: workspace.withhold,
    revokeTokens: workspace.revokeTokens,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
