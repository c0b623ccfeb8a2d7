import type { Socket } from 'node:net';
import { asUnconnected, type BackendKey, backendKeyOf, followServerVersion, watchBytes } from '@svc/pg-wire';
import type pg from 'pg';
import { dialSocket } from '../../network/dialled-socket.ts';
import { type Greeting, keepGreeting } from '../../network/greeting.ts';
import { tlsOptions } from '../../network/tls.ts';
import type { Dial } from '../../port.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { createFrameWatch, type FrameWatch } from './frame-watch.ts';

/** Connection after or during sign-in. One session at a time uses it. */
export type Link = {
  readonly client: pg.Client;
  readonly watch: FrameWatch;
  readonly greeting: Greeting;
  /** Time of dialling, in milliseconds of the monotonic clock. */
  readonly openedAt: number;
  readonly isOpen: () => boolean;
  readonly backendKey: () => BackendKey | undefined;
  /** Major version that the server reported at sign-in. */
  readonly serverVersion: () => number | undefined;
  /** True after a check that the settings of the sign-in are in force. */
  hasStartupOptions: boolean;
  /** Idles without keeping the process alive. Calls `onLost` when the server closes the connection. */
  readonly sleep: (onLost: () => void) => void;
  readonly wake: () => void;
  /** Ends the connection in an orderly way. Never throws. */
  readonly leave: () => void;
  readonly destroy: () => void;
};

const neverTooLarge = {
  messageBytesMax: Number.POSITIVE_INFINITY,
  rowBytesMax: Number.POSITIVE_INFINITY,
  onTooLarge: () => undefined,
};

let driver: Promise<typeof pg> | undefined;
/** The driver loads with the first connection. */
const loadDriver = (): Promise<typeof pg> => {
  driver ??= import('pg').then((loaded) => loaded.default);
  return driver;
};

/**
 * Dials. The caller signs in, so that its time limit applies to the sign-in.
 *
 * @param options  settings of the sign-in, as `-c name=value`.
 */
export async function dialLink(
  connection: PostgresqlConnection,
  dial: Dial,
  signal: AbortSignal,
  options?: string,
): Promise<Link> {
  const { Client } = await loadDriver();
  const socket = await dialSocket(dial, connection, signal);
  const client = new Client({ ...clientConfig(connection, socket), ...(options && { options }) });
  client.on('error', () => undefined);
  const greeting = keepGreeting(socket);
  const watch = createFrameWatch(neverTooLarge);
  watchBytes(client, socket, connection.tlsMode !== 'Disable', watch.see);
  const serverVersion = followServerVersion(client);
  let onLost: (() => void) | undefined;
  socket.once('close', () => onLost?.());
  return {
    client,
    watch,
    greeting,
    openedAt: performance.now(),
    isOpen: () => !socket.destroyed && socket.readable && socket.writable,
    backendKey: () => backendKeyOf(client),
    serverVersion,
    hasStartupOptions: false,
    sleep: (notify) => {
      onLost = notify;
      socket.unref();
    },
    wake: () => {
      onLost = undefined;
      socket.ref();
    },
    leave: () => {
      // Does not keep the process alive while the server closes its end.
      void client.end().catch(() => undefined);
      socket.unref();
    },
    destroy: () => void socket.destroy(),
  };
}

function clientConfig(connection: PostgresqlConnection, socket: Socket): pg.ClientConfig {
  const { host, port, database, user, password } = connection;
  return {
    host,
    port,
    database,
    user,
    password,
    ssl: tlsOptions(connection) ?? false,
    stream: () => asUnconnected(socket),
    application_name: 'svc',
  };
}
