import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Dial } from '@svc/connectors';

/** What a test's API says to a request. */
export type RestAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown;
};

/** `silent` never answers, `reset` breaks the connection instead. */
export type RestHandler = (url: URL, request: IncomingMessage) => RestAnswer | 'silent' | 'reset';

/** An API over HTTP for a test file of its own, on a port of the loopback. */
export type TestRestApi = {
  readonly baseUrl: string;
  readonly dial: Dial;
  /** What was asked for, as `METHOD /path?query`, in order. */
  readonly asked: string[];
  readonly answer: (handler: RestHandler) => void;
  /** Connections that are open. */
  readonly openSockets: () => number;
  readonly stop: () => Promise<void>;
};

const testHost = 'rest.test';

export async function startRestApi(first: RestHandler): Promise<TestRestApi> {
  let handler = first;
  let open = 0;
  const asked: string[] = [];
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${request.method} ${request.url}`);
    const answer = handler(new URL(request.url ?? '/', 'http://rest.test'), request);
    if (answer === 'silent') return;
    if (answer === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const { status = 200, headers = {}, body = '' } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
  const server = createServer(respond);
  server.on('connection', (socket) => {
    open++;
    socket.once('close', () => open--);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${testHost}:${port}/v1`,
    asked,
    dial: async (target, { signal }) => {
      if (target.host !== testHost || target.port !== port)
        throw new Error(`${target.host}:${target.port} is not reached by this test.`);
      const socket = connect({ host: '127.0.0.1', port, signal });
      await once(socket, 'connect');
      return socket;
    },
    answer: (next) => {
      handler = next;
      asked.length = 0;
    },
    openSockets: () => open,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
