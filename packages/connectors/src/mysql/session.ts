import type { Socket } from 'node:net';
import { count, plural } from '@svc/contract/wording';
import type { Connection, TypedParameter } from 'mysql2';
import { type Deadline, serverLimitMs, startDeadline } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import { dialSocket } from '../network/dialled-socket.ts';
import { foreignServer, keepGreeting } from '../network/greeting.ts';
import { tlsOptions } from '../network/tls.ts';
import type { CallOptions, Dial } from '../port.ts';
import { mysqlError } from './errors.ts';
import { isMysqlGreeting } from './greeting.ts';
import { createPacketWatch } from './packet-watch.ts';
import type { MysqlConnection } from './settings.ts';

const farewellTimeoutMs = 1_000;
const killTimeoutMs = 3_000;
/** A whole row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;

export type SessionLimits = { readonly maxBytes: number; readonly maxCellBytes: number };

/** Dedicated connection inside one read-only transaction. It serves one statement and is then dropped. */
export type Session = {
  readonly client: Connection;
  readonly isMariaDb: boolean;
  readonly serverVersion: string;
  readonly deadline: Deadline;
  readonly allBytes: () => number;
  /** Rejects when the connection is lost: the driver then never completes its pending command. */
  readonly lost: Promise<never>;
  readonly explain: (error: unknown, sql?: string) => ConnectorError;
  /** Rolls back and closes. Never rejects. */
  readonly finish: () => Promise<void>;
  /** Cuts the connection and makes the server stop the statement. Never rejects. */
  readonly abandon: () => Promise<void>;
};

type SessionOptions = CallOptions & { readonly limits: SessionLimits };

/** Connects, signs in, and begins the read-only transaction. */
export async function openSession(connection: MysqlConnection, options: SessionOptions): Promise<Session> {
  const deadline = startDeadline(options);
  let session: Session | undefined;
  try {
    deadline.signal.throwIfAborted();
    const { client, socket } = await connectClient(connection, options.dial, deadline.signal);
    session = createSession(client, socket, connection, deadline, options);
    const { isMariaDb, lost } = session;
    const limitMs = serverLimitMs(deadline.remainingMs(), options.pauses);
    await Promise.race([query(client, sessionSettings(isMariaDb, limitMs)), lost]);
    await Promise.race([query(client, 'START TRANSACTION READ ONLY'), lost]);
    return session;
  } catch (error) {
    const explained = session?.explain(error) ?? deadline.reason() ?? mysqlError(error, connection);
    await session?.abandon();
    deadline.dispose();
    throw explained;
  }
}

/** Returns the driver's factories of typed parameters. */
export const loadTypedParameter = async (): Promise<TypedParameter> =>
  (await import('mysql2')).default.TypedParameter;

/** Runs one statement of the service by the text protocol and returns its rows. */
export function query<Row>(client: Connection, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query({ sql, values: [...values], rowsAsArray: false }, (error: unknown, rows: unknown) => {
      if (error) reject(error);
      else resolve(Array.isArray(rows) ? rows : []);
    });
  });
}

/** Connects and signs in. All connections to MySQL start here. */
export async function connectClient(
  connection: MysqlConnection,
  dial: Dial,
  signal: AbortSignal,
  /** A statement may send local rows, which it passes with the statement. */
  sendsLocalRows = false,
): Promise<{ client: Connection; socket: Socket }> {
  const { default: driver } = await import('mysql2');
  const socket = await dialSocket(dial, connection, signal);
  const greeting = keepGreeting(socket);
  const tls = tlsOptions(connection);
  const client = driver.createConnection({
    host: connection.host,
    port: connection.port,
    user: connection.user,
    password: connection.password,
    database: connection.database,
    stream: () => socket,
    charset: 'utf8mb4',
    timezone: 'Z',
    multipleStatements: false,
    // The server may request any local file at any time, which is never allowed. Without rows of the statement, the
    // driver answers such a request with an empty file and an error.
    flags: sendsLocalRows ? [] : ['-LOCAL_FILES'],
    // Generated row readers have allowed servers to run their own code.
    disableEval: true,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    ...(tls
      ? {
          ssl: {
            rejectUnauthorized: tls.rejectUnauthorized ?? true,
            verifyIdentity: connection.tlsMode === 'VerifyFull',
            minVersion: 'TLSv1.2',
            ...(connection.caCertificate === undefined ? {} : { ca: connection.caCertificate }),
          },
        }
      : {}),
  });
  client.on('error', () => undefined);
  const onAbort = () => socket.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      client.connect((error) => (error ? reject(error) : resolve()));
    });
    return { client, socket };
  } catch (error) {
    socket.destroy();
    const first = greeting();
    if (first === undefined || isMysqlGreeting(first)) throw error;
    throw foreignServer(connection, { protocol: 'MySQL', cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function createSession(
  client: Connection,
  socket: Socket,
  connection: MysqlConnection,
  deadline: Deadline,
  options: SessionOptions,
): Session {
  let cause: ConnectorError | undefined;
  let isOver = false;
  const { threadId } = client;
  const serverVersion = versionOf(client);

  const watch = createPacketWatch({
    rowBytesMax: options.limits.maxCellBytes * rowToCellFactor,
    allBytesMax: options.limits.maxBytes,
    onTooLarge: (what) => {
      cause ??= tooLarge(what, options.limits);
      void abandon();
    },
  });
  // The driver's stream is now the decrypted one. No packet is in transit before the first command.
  const { stream } = client as unknown as { stream: Socket };
  stream.prependListener('data', watch.see);

  const lost = new Promise<never>((_resolve, reject) => {
    const closed = () =>
      reject(new ConnectorError('connection-lost', 'The connection to the server was lost.'));
    if (socket.destroyed) closed();
    else socket.once('close', closed);
  });
  lost.catch(() => undefined);

  const onDeadline = () => void abandon();
  deadline.signal.addEventListener('abort', onDeadline, { once: true });

  function end(): boolean {
    if (isOver) return false;
    isOver = true;
    deadline.signal.removeEventListener('abort', onDeadline);
    deadline.dispose();
    return true;
  }

  async function abandon(): Promise<void> {
    if (!end()) return;
    client.destroy();
    socket.destroy();
    await killQuery(connection, options.dial, threadId);
  }

  async function finish(): Promise<void> {
    if (!end()) return;
    const cut = setTimeout(() => socket.destroy(), farewellTimeoutMs);
    try {
      await Promise.race([query(client, 'ROLLBACK'), lost]);
    } catch {
      // The session has ended with its connection.
    } finally {
      clearTimeout(cut);
      client.destroy();
      socket.destroy();
    }
  }

  return {
    client,
    isMariaDb: /mariadb/i.test(serverVersion),
    serverVersion,
    deadline,
    allBytes: watch.allBytes,
    lost,
    explain: (error, sql) => cause ?? deadline.reason() ?? mysqlError(error, connection, sql),
    finish,
    abandon,
  };
}

/** Kills the other connection from a separate one. Never rejects. */
export async function killQuery(connection: MysqlConnection, dial: Dial, threadId: number): Promise<void> {
  const signal = AbortSignal.timeout(killTimeoutMs);
  try {
    const { client, socket } = await connectClient(connection, dial, signal);
    const cut = () => socket.destroy();
    signal.addEventListener('abort', cut, { once: true });
    await query(client, `KILL CONNECTION ${Math.trunc(threadId)}`).finally(() => client.destroy());
  } catch {
    // The run has ended, so no caller remains to report to. The server's time limit ends the statement.
  }
}

function versionOf(client: Connection): string {
  const { _handshakePacket } = client as unknown as { _handshakePacket?: { serverVersion?: string } };
  return String(_handshakePacket?.serverVersion ?? '');
}

/**
 * Modes that change values or refuse statements, but do not change the parsing of text. Other modes do not apply:
 * `ANSI_QUOTES` and the modes that contain it, `NO_BACKSLASH_ESCAPES` and `IGNORE_SPACE` change the parsing.
 */
const retainedModes = [
  'ONLY_FULL_GROUP_BY',
  'STRICT_TRANS_TABLES',
  'STRICT_ALL_TABLES',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'ALLOW_INVALID_DATES',
  'NO_UNSIGNED_SUBTRACTION',
  'PAD_CHAR_TO_FULL_LENGTH',
  'TIME_ROUND_FRACTIONAL',
  'TIME_TRUNCATE_FRACTIONAL',
  'PIPES_AS_CONCAT',
  'HIGH_NOT_PRECEDENCE',
  'REAL_AS_FLOAT',
] as const;
const sessionMode = `concat_ws(',', 'NO_ENGINE_SUBSTITUTION', ${retainedModes
  .map((mode) => `if(find_in_set('${mode}', @@sql_mode), '${mode}', null)`)
  .join(', ')})`;

/**
 * Returns the session settings: quotes have the meaning that the lexer assumes, times are UTC, and the server has a
 * time limit too.
 */
function sessionSettings(isMariaDb: boolean, timeoutMs: number): string {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1_000));
  const limit = isMariaDb ? `max_statement_time = ${timeoutMs / 1_000}` : `max_execution_time = ${timeoutMs}`;
  return `SET SESSION time_zone = '+00:00',
    sql_mode = ${sessionMode},
    lock_wait_timeout = ${seconds}, net_write_timeout = ${seconds + 60}, ${limit}`;
}

function tooLarge(what: 'row' | 'all', { maxBytes, maxCellBytes }: SessionLimits): ConnectorError {
  return what === 'all'
    ? new ConnectorError('too-many-bytes', `The result has more than ${plural(maxBytes, 'byte')}.`)
    : new ConnectorError(
        'value-too-large',
        `A row of the result has more than ${plural(maxCellBytes * rowToCellFactor, 'byte')}; one value may have ${count(maxCellBytes)}.`,
      );
}
