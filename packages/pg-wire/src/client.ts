import type { Socket } from 'node:net';
import type pg from 'pg';
import { wireOf } from './wire.ts';

/** Key of a server process, for cancel requests. */
export type BackendKey = { readonly processId: number; readonly secretKey: number };

/** Returns the key that the server sent at sign-in; undefined before that. */
export function backendKeyOf(client: pg.Client): BackendKey | undefined {
  const { processID, secretKey } = client as unknown as {
    processID: number | null;
    secretKey: number | null;
  };
  return processID === null || secretKey === null ? undefined : { processId: processID, secretKey };
}

/**
 * Returns the socket with a `connect` method that only emits `connect`. The driver calls `connect` on its stream, but
 * this socket is connected already.
 */
export function asUnconnected(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  Object.defineProperty(socket, 'connect', { value: connect });
  return socket;
}

/** Passes the server's bytes to `see` before the driver reads them, from the plain stream or the decrypted one. */
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

/** Reports the SQLSTATE of each error that the server sends on a connection, for any statement. */
export function followErrors(client: pg.ClientBase, hear: (sqlState: string) => void): void {
  wireOf(client).on('errorMessage', ({ code }) => hear(code ?? ''));
}

/**
 * Records the server version, which the server sends before it is ready and the driver does not store.
 *
 * @returns a function that returns the major version; undefined before the server has sent it.
 */
export function followServerVersion(client: pg.Client): () => number | undefined {
  let version: number | undefined;
  wireOf(client).on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName === 'server_version') version = Number.parseInt(parameterValue, 10);
  });
  return () => version;
}

/** Returns true when a statement was sent on a connection and the server is not yet ready for the next one. */
export function awaitsAnswer(client: pg.ClientBase): boolean {
  const { _activeQuery: active } = client as unknown as { readonly _activeQuery: object | null | undefined };
  return active != null;
}

/** Calls `onReady` each time the server is ready for the next statement, before the driver sends that one. */
export function followReady(client: pg.ClientBase, onReady: () => void): void {
  wireOf(client).on('readyForQuery', onReady);
}

/**
 * Destroys the socket of a session without notifying the server and without waiting.
 *
 * @param error  Reported to the statements of the session and to the listeners of its `error` event. Without it they
 *   receive the error of a terminated connection.
 */
export function destroySession(client: pg.ClientBase, error?: Error): void {
  wireOf(client).stream.destroy(error);
}

/**
 * Calls `send` while the driver's time limit of a query is disabled: the driver would reject the query and leave its
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

/** Disables the driver's time limit for all queries of a connection. */
export function dropDriverTimeout(client: pg.ClientBase): void {
  const { connectionParameters } = client as unknown as {
    readonly connectionParameters: { query_timeout: number };
  };
  connectionParameters.query_timeout = 0;
}

/** Returns the time limit of a single query in ms; undefined without a limit. */
export function timeoutOf(query: unknown): number | undefined {
  const { query_timeout: timeoutMs } = Object(query) as { readonly query_timeout?: number };
  return timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : undefined;
}
