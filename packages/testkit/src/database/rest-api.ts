import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Dial } from '@svc/connectors';

/** Response of a test's API. */
export type RestAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, except strings and buffers, which are sent unchanged. */
  readonly body?: unknown;
};

/** Returns the response to a request. `silent` never answers; `reset` resets the connection. */
export type RestHandler = (url: URL, request: IncomingMessage) => RestAnswer | 'silent' | 'reset';

/** HTTP API of one test file, on a loopback port. */
export type TestRestApi = {
  readonly baseUrl: string;
  readonly dial: Dial;
  /** Requests since the last `answer`, as `METHOD /path?query`, in order. */
  readonly asked: string[];
  readonly answer: (handler: RestHandler) => void;
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
