import type { Socket } from 'node:net';
import type pg from 'pg';
import { type Deadline, startDeadline } from '../deadline.ts';
import { dialSocket } from '../dialled-socket.ts';
import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import { tlsOptions } from '../tls.ts';
import { cancelBackend } from './cancel.ts';
import { postgresqlError } from './errors.ts';
import { createFrameWatch } from './frame-watch.ts';
import { assertNotOwnDatabase, type DatabaseIdentity } from './identity.ts';
import type { PostgresqlConnection } from './settings.ts';

/** How long a finished session may take to roll back and say goodbye before its connection is cut. */
const farewellTimeoutMs = 1_000;
/** A whole row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;

export type SessionLimits = { readonly maxBytes: number; readonly maxCellBytes: number };

/** A dedicated connection inside one read-only transaction. It serves one statement and is then dropped. */
export type Session = {
  readonly client: pg.Client;
  readonly deadline: Deadline;
  readonly rowBytes: () => number;
  /** The error to tell: a limit or the deadline that ended the session counts before what the driver makes of it. */
  readonly explain: (error: unknown, sql?: string) => ConnectorError;
  /** Rolls back, resets and closes. Never rejects. */
  readonly finish: () => Promise<void>;
  /** Cuts the connection and has the server stop the statement. Never rejects. */
  readonly abandon: () => Promise<void>;
};

/** Connects, signs in, refuses the service's own database, and begins the read-only transaction. */
export async function openSession(
  connection: PostgresqlConnection,
  options: CallOptions & {
    readonly limits: SessionLimits;
    readonly ownDatabases: readonly DatabaseIdentity[];
  },
): Promise<Session> {
  const deadline = startDeadline(options);
  let session: Session | undefined;
  try {
    deadline.signal.throwIfAborted();
    const { default: driver } = await import('pg');
    const socket = await dialSocket(options.dial, connection, deadline.signal);
    session = createSession(driver, socket, connection, deadline, options);
    await session.client.connect();
    await assertNotOwnDatabase(session.client, options.ownDatabases);
    await session.client.query(beginReadOnly(deadline.remainingMs()));
    return session;
  } catch (error) {
    const explained = session?.explain(error) ?? deadline.reason() ?? postgresqlError(error, connection);
    await session?.abandon();
    deadline.dispose();
    throw explained;
  }
}

function createSession(
  driver: typeof pg,
  socket: Socket,
  connection: PostgresqlConnection,
  deadline: Deadline,
  options: CallOptions & { readonly limits: SessionLimits },
): Session {
  let cause: ConnectorError | undefined;
  let isOver = false;
  const client = new driver.Client(clientConfig(connection, socket));
  client.on('error', () => undefined);

  const watch = createFrameWatch({
    messageBytesMax: options.limits.maxCellBytes * rowToCellFactor,
    rowBytesMax: options.limits.maxBytes,
    onTooLarge: (what) => {
      cause ??= tooLarge(what, options.limits);
      void abandon();
    },
  });
  watchFrames(client, socket, connection.tlsMode !== 'Disable', watch.see);

  const onDeadline = () => void abandon();
  deadline.signal.addEventListener('abort', onDeadline, { once: true });

  function end(): boolean {
    if (isOver) return false;
    isOver = true;
    deadline.signal.removeEventListener('abort', onDeadline);
    deadline.dispose();
    return true;
  }

  // Whoever comes second waits for the same cancel: a run that was stopped has ended when its failure is told.
  let leaving: Promise<void> = Promise.resolve();
  function abandon(): Promise<void> {
    if (end()) leaving = leave();
    return leaving;
  }

  async function leave(): Promise<void> {
    const key = backendKey(client);
    socket.destroy();
    if (key) await cancelBackend(options.dial, connection, key);
  }

  async function finish(): Promise<void> {
    if (!end()) return;
    const cut = setTimeout(() => socket.destroy(), farewellTimeoutMs);
    try {
      await client.query('ROLLBACK');
      // Behind a transaction pooler the server's session outlives this connection: leave nothing in it.
      await client.query('DISCARD ALL');
      await client.end();
    } catch {
      // The connection is gone, and with it the session.
    } finally {
      clearTimeout(cut);
      socket.destroy();
    }
  }

  return {
    client,
    deadline,
    rowBytes: watch.rowBytes,
    explain: (error, sql) => cause ?? deadline.reason() ?? postgresqlError(error, connection, sql),
    finish,
    abandon,
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
    stream: () => presentAsUnconnected(socket),
    application_name: 'svc',
    keepAlive: true,
  };
}

/** The driver wants to connect by itself: it is told that it has, with the socket that was dialled for it. */
function presentAsUnconnected(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  Object.defineProperty(socket, 'connect', { value: connect });
  return socket;
}

/** The watch stands before the driver's own reader, on the plain stream or on the decrypted one. */
function watchFrames(client: pg.Client, socket: Socket, isTls: boolean, see: (chunk: Buffer) => void): void {
  if (!isTls) {
    socket.on('data', see);
    return;
  }
  const { connection } = client as unknown as { connection: { stream: Socket; once: Socket['once'] } };
  connection.once('sslconnect', () => connection.stream.prependListener('data', see));
}

function backendKey(client: pg.Client): { processId: number; secretKey: number } | undefined {
  const { processID, secretKey } = client as unknown as {
    processID: number | null;
    secretKey: number | null;
  };
  return processID === null || secretKey === null ? undefined : { processId: processID, secretKey };
}

/**
 * The user's statement follows by the extended protocol, which takes exactly one; this text is ours alone. The
 * output settings are those that the cells are read by, and strings mean what the reader of the text takes them for.
 */
function beginReadOnly(timeoutMs: number): string {
  return [
    'begin read only',
    `set local statement_timeout = ${timeoutMs}`,
    `set local lock_timeout = ${timeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${timeoutMs + farewellTimeoutMs}`,
    "set local datestyle = 'ISO, YMD'",
    "set local intervalstyle = 'iso_8601'",
    "set local timezone = 'UTC'",
    "set local bytea_output = 'hex'",
    'set local extra_float_digits = 1',
    'set local standard_conforming_strings = on',
    // A backend whose client has gone stops by itself; the setting came with PostgreSQL 14.
    "select set_config('client_connection_check_interval', '1000', true) where current_setting('server_version_num')::int >= 140000",
  ].join(';');
}

function tooLarge(what: 'message' | 'rows', { maxBytes, maxCellBytes }: SessionLimits): ConnectorError {
  return what === 'rows'
    ? new ConnectorError('too-many-bytes', `The result has more than ${maxBytes} bytes.`)
    : new ConnectorError(
        'value-too-large',
        `A row of the result has more than ${maxCellBytes * rowToCellFactor} bytes; one value may have ${maxCellBytes}.`,
      );
}
