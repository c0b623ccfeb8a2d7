import type { Socket } from 'node:net';
import type pg from 'pg';
import { wireOf } from './wire.ts';

/** What a cancel request names the server process by. */
export type BackendKey = { readonly processId: number; readonly secretKey: number };

/** The key that the server gave at sign-in; undefined before that. */
export function backendKeyOf(client: pg.Client): BackendKey | undefined {
  const { processID, secretKey } = client as unknown as {
    processID: number | null;
    secretKey: number | null;
  };
  return processID === null || secretKey === null ? undefined : { processId: processID, secretKey };
}

/** The driver wants to connect by itself: it is told that it has, with the socket that was dialled for it. */
export function asUnconnected(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  Object.defineProperty(socket, 'connect', { value: connect });
  return socket;
}

/** Shows what the server sends before the driver's own reader sees it, on the plain stream or on the decrypted one. */
export function watchBytes(
  client: pg.Client,
  socket: Socket,
  isTls: boolean,
  see: (chunk: Buffer) => void,
): void {
  if (!isTls) {
    socket.on('data', see);
    return;
  }
  const wire = wireOf(client);
  wire.once('sslconnect', () => wire.stream.prependListener('data', see));
}

/** Tells of each error that the server answers on a connection, whatever statement it belongs to, by its SQLSTATE. */
export function followErrors(client: pg.ClientBase, hear: (sqlState: string) => void): void {
  wireOf(client).on('errorMessage', ({ code }) => hear(code ?? ''));
}

/**
 * Follows the version of the server, which it reports before it is ready and the driver does not keep.
 *
 * @returns what tells its major version, once it is known.
 */
export function followServerVersion(client: pg.Client): () => number | undefined {
  let version: number | undefined;
  wireOf(client).on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName === 'server_version') version = Number.parseInt(parameterValue, 10);
  });
  return () => version;
}

/** Returns whether a statement was sent on a connection and the server is not ready for the next one yet. */
export function awaitsAnswer(client: pg.ClientBase): boolean {
  const { _activeQuery: active } = client as unknown as { readonly _activeQuery: object | null | undefined };
  return active != null;
}

/** Reports each time that the server is ready for the next statement, before the driver sends that one. */
export function followReady(client: pg.ClientBase, onReady: () => void): void {
  wireOf(client).on('readyForQuery', onReady);
}

/**
 * Destroys the socket of a session: the server is not notified, and nothing is waited for.
 *
 * @param error  reported to the statements of the session and to the listeners of its `error` event. Without it they
 *   see a connection that was terminated.
 */
export function destroySession(client: pg.ClientBase, error?: Error): void {
  wireOf(client).stream.destroy(error);
}

/**
 * Calls `send` while a query has no time limit that the driver enforces: the driver rejects such a query and leaves its
 * session open.
 */
export function withoutDriverTimeout<T>(query: unknown, send: () => T): T {
  const timed = Object(query) as { query_timeout?: number };
  const { query_timeout: before } = timed;
  if (before === undefined) return send();
  timed.query_timeout = 0;
  try {
    return send();
  } finally {
    timed.query_timeout = before;
  }
}

/** Removes the time limit of all queries that the driver enforces, wherever the connection's settings have it. */
export function dropDriverTimeout(client: pg.ClientBase): void {
  const { connectionParameters } = client as unknown as {
    readonly connectionParameters: { query_timeout: number };
  };
  connectionParameters.query_timeout = 0;
}

/** Returns the time limit of a single query in ms; undefined where it has none. */
export function timeoutOf(query: unknown): number | undefined {
  const { query_timeout: timeoutMs } = Object(query) as { readonly query_timeout?: number };
  return timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : undefined;
}
