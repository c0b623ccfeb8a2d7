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
