import type { Socket } from 'node:net';
import { asUnconnected, type BackendKey, backendKeyOf, followServerVersion, watchBytes } from '@svc/pg-wire';
import type pg from 'pg';
import { dialSocket } from '../../dialled-socket.ts';
import { type Greeting, keepGreeting } from '../../greeting.ts';
import type { Dial } from '../../port.ts';
import { tlsOptions } from '../../tls.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { createFrameWatch, type FrameWatch } from './frame-watch.ts';

/** A connection that somebody has signed in on. One session at a time uses it. */
export type Link = {
  readonly client: pg.Client;
  readonly watch: FrameWatch;
  readonly greeting: Greeting;
  /** When it was dialled, in milliseconds of the monotonic clock. */
  readonly openedAt: number;
  readonly isOpen: () => boolean;
  readonly backendKey: () => BackendKey | undefined;
  /** Major version of the server, as it said at sign-in. */
  readonly serverVersion: () => number | undefined;
  /** True once the settings that were given at sign-in were found to be in force. */
  hasStartupOptions: boolean;
  /** Waits without keeping the process alive; `onLost` is told when the server closes it. */
  readonly sleep: (onLost: () => void) => void;
  readonly wake: () => void;
  /** Says goodbye. Never throws. */
  readonly leave: () => void;
  readonly destroy: () => void;
};

const neverTooLarge = {
  messageBytesMax: Number.POSITIVE_INFINITY,
  rowBytesMax: Number.POSITIVE_INFINITY,
  onTooLarge: () => undefined,
};

let driver: Promise<typeof pg> | undefined;
/** Loaded with the first connection. */
const loadDriver = (): Promise<typeof pg> => {
  driver ??= import('pg').then((loaded) => loaded.default);
  return driver;
};

/**
 * Dials. The sign-in is the caller's, so that its time limit holds for it.
 *
 * @param options  settings to be given at sign-in, as `-c name=value`.
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
    sleep: (told) => {
      onLost = told;
      socket.unref();
    },
    wake: () => {
      onLost = undefined;
      socket.ref();
    },
    leave: () => {
      // The server's own end of the connection is all that is waited for.
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
