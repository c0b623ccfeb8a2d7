import { isIP, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import tls from 'node:tls';
import { constants, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ConnectorError } from '../error.ts';
import { dialSocket } from '../network/dialled-socket.ts';
import { type TlsSettings, tlsOptions } from '../network/tls.ts';
import type { Dial } from '../port.ts';

/** Destination of one client's requests. */
export type HttpTarget = TlsSettings & { readonly port: number };

export type HttpRequest = {
  /** Path with its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Answer whose decompressed body is read in chunks, at most one per turn of the event loop. It buffers no chunks. */
export type HttpAnswer = {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** False: the end of the connection in mid-body looks like the end of the body. */
  readonly isEndMarked: boolean;
};

/** One connection to one server. It sends one request after the other. */
export type HttpClient = {
  /** Rejects with the error of the dialler, TLS or undici. Redirects are returned, not followed. */
  readonly post: (request: HttpRequest & { readonly body: string }) => Promise<HttpAnswer>;
  /** Same as `post`, without a body. */
  readonly get: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Sends a DELETE request. */
  readonly delete: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Ends the connection immediately. Never rejects. */
  readonly close: () => Promise<void>;
};

const headerBytesMax = 65_536;

/** Creates a client. The connection opens with the first request. `signal` ends all requests. */
export async function openHttpClient(
  target: HttpTarget,
  { dial, signal }: { readonly dial: Dial; readonly signal: AbortSignal },
): Promise<HttpClient> {
  const { Client } = await import('undici');
  const isSecure = target.tlsMode !== 'Disable';
  const host = isIP(target.host) === 6 ? `[${target.host}]` : target.host;
  const client = new Client(`${isSecure ? 'https' : 'http'}://${host}:${target.port}`, {
    connect: (_options, callback) => {
      openSocket(target, dial, signal).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    pipelining: 1,
    maxHeaderSize: headerBytesMax,
    // Only the signal limits the time: a statement may run for long before its answer.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    { path, headers }: HttpRequest,
    body: string | null,
  ): Promise<HttpAnswer> => {
    const answer = await client.request({
      method,
      path,
      body,
      signal,
      headers: { ...headers, 'accept-encoding': 'gzip' },
    });
    return present(answer);
  };
  return {
    post: ({ body, ...request }) => send('POST', request, body),
    get: (request) => send('GET', request, null),
    delete: (request) => send('DELETE', request, null),
    close: () => client.destroy().catch(() => undefined),
  };
}

async function openSocket(target: HttpTarget, dial: Dial, signal: AbortSignal): Promise<Socket> {
  const socket = await dialSocket(dial, target, signal);
  const options = tlsOptions(target);
  return options ? secure(socket, target, options, signal) : socket;
}

function secure(
  socket: Socket,
  { host }: HttpTarget,
  options: tls.ConnectionOptions,
  signal: AbortSignal,
): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = tls.connect({
      ...options,
      socket,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ['http/1.1'],
    });
    const onAbort = () => secured.destroy(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    // This listener remains: an error before the HTTP client adds its own must not become an uncaught exception.
    secured.on('error', reject);
    secured.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      reject(new ConnectorError('tls-failed', `${host} closed the connection during the TLS handshake.`));
    });
    secured.once('secureConnect', () => resolve(secured));
  });
}

function present({ statusCode, headers, body }: Dispatcher.ResponseData): HttpAnswer {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    status: statusCode,
    header,
    body: inTurns(unpacked(body, header('content-encoding'))),
    isEndMarked: header('content-length') !== undefined || header('transfer-encoding') !== undefined,
  };
}

function unpacked(
  body: Dispatcher.ResponseData['body'],
  encoding: string | undefined,
): AsyncIterable<Buffer> {
  if (encoding === undefined || encoding === 'identity') return body;
  if (encoding === 'gzip') return gunzipped(body);
  body.on('error', () => undefined).destroy();
  throw new ConnectorError(
    'connection-failed',
    'The server compressed its response with an encoding that was not requested.',
  );
}

/**
 * Yields one chunk per turn of the event loop. With a fast server libuv reads 32 chunks in one turn. Processing them
 * would delay all other work, and V8 would get no turn to free the memory of earlier chunks.
 */
async function* inTurns(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of body) {
    yield chunk;
    await nextTurn();
  }
}

/** Decompresses on demand: the caller's bounds stop a small body that expands to a large one. */
async function* gunzipped(body: Dispatcher.ResponseData['body']): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ finishFlush: constants.Z_FINISH });
  body.on('error', (error) => gunzip.destroy(error));
  body.pipe(gunzip);
  try {
    yield* gunzip;
  } finally {
    gunzip.destroy();
    body.destroy();
  }
}
