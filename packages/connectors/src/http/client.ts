import { isIP, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import tls from 'node:tls';
import { constants, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { dialSocket } from '../dialled-socket.ts';
import { ConnectorError } from '../error.ts';
import type { Dial } from '../port.ts';
import { type TlsSettings, tlsOptions } from '../tls.ts';

/** Where the requests of one client go. */
export type HttpTarget = TlsSettings & { readonly port: number };

export type HttpRequest = {
  /** With its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The body comes in pieces as it is read, unpacked, one in a turn of the event loop; nothing of it is held here. */
export type HttpAnswer = {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** False: an end of the connection in mid-body cannot be told from the body's own end. */
  readonly isEndMarked: boolean;
};

/** One connection to one server, used for one request after the other. */
export type HttpClient = {
  /** Rejects with what the dialler, TLS or undici said. Redirects are answers like others: nobody follows them. */
  readonly post: (request: HttpRequest & { readonly body: string }) => Promise<HttpAnswer>;
  /** The same without a body. */
  readonly get: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Takes away what the path names. */
  readonly delete: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Ends the connection at once. Never rejects. */
  readonly close: () => Promise<void>;
};

const headerBytesMax = 65_536;

/** Opens nothing before the first request. Everything ends with `signal`. */
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
    // The signal is the only clock: a statement may think for long before it answers.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    { path, headers }: HttpRequest,
    body: string | null,
  ): Promise<HttpAnswer> => {
    const answer = await client.request({
      ...{ method, path, body, signal },
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
    // Stays: between here and the HTTP client's own listener an error must not be an uncaught exception.
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
 * Hands out one piece in a turn of the event loop. Of a fast server libuv reads 32 pieces in one turn: what they are made
 * into would hold up everything else, and V8 would take no turn to free what the piece before has left.
 */
async function* inTurns(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of body) {
    yield chunk;
    await nextTurn();
  }
}

/** Unpacks as much as is taken, so that a small body that grows large is stopped by the caller's own bounds. */
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
