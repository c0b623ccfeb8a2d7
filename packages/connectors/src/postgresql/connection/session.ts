import { count, plural } from '@svc/contract/wording';
import { exchange, runTexts } from '@svc/pg-wire';
import type pg from 'pg';
import { type Deadline, pauseMaxMs, startDeadline } from '../../deadline.ts';
import { ConnectorError } from '../../error.ts';
import { foreignServer } from '../../network/greeting.ts';
import type { CallOptions } from '../../port.ts';
import { postgresqlError } from '../errors.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { cancelBackend } from './cancel.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { isPostgresqlGreeting } from './greeting.ts';
import { assertNotOwnDatabase, type DatabaseIdentity } from './identity.ts';
import { dialLink, type Link } from './link.ts';
import type { LoginGuard } from './login.ts';
import {
  areStartupOptionsInForce,
  assertStartupOptions,
  mayRefuseStartupOptions,
  type StartupOptions,
  startupOptionsText,
} from './startup-options.ts';

/** Time for a finished session to roll back and disconnect before its connection is cut. */
const farewellTimeoutMs = 1_000;
/** A whole row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;

export type SessionLimits = { readonly maxBytes: number; readonly maxCellBytes: number };

/** Reasons to refuse a connection after its sign-in. */
export type SessionGuards = {
  readonly ownDatabases: readonly DatabaseIdentity[];
  readonly logins: LoginGuard;
};

export type SessionOptions = CallOptions & {
  readonly limits: SessionLimits;
  readonly guards: SessionGuards;
  /** Pool of reusable connections. Absent: each connection is new, and is closed at the end. */
  readonly pool?: ConnectionPool;
  /** Knows the servers that accept settings at sign-in. Absent: each transaction sets them. */
  readonly startupOptions?: StartupOptions;
};

/** Connection that serves one statement inside one read-only transaction. */
export type Session = {
  readonly client: pg.Client;
  readonly deadline: Deadline;
  /** True for a connection that has served another statement before. */
  readonly isReused: boolean;
  readonly rowBytes: () => number;
  /** Returns statements that begin the read-only transaction, with the remaining time as its limit. */
  readonly begin: () => string[];
  /**
   * Same as `begin` without the constant settings, which the sign-in has set. For a transaction that begins and ends
   * in one exchange. If the settings are not in force, one of these statements fails. Undefined: the sign-in has not
   * set them.
   */
  readonly beginWithStartupOptions: () => string[] | undefined;
  /** Returns the error to report. A limit or the deadline that ended the session precedes the driver's own error. */
  readonly explain: (error: unknown, sql?: string) => ConnectorError;
  /** Rolls back and resets. The connection then returns to the pool or closes. Never rejects. */
  readonly finish: () => Promise<void>;
  /** Ends a session whose last exchange ended with `resetParts`. The connection returns to the pool or closes. */
  readonly release: () => void;
  /** Cuts the connection and makes the server stop the statement. Never rejects. */
  readonly abandon: () => Promise<void>;
};

/** Connects, signs in, refuses the service's own database and privileged logins, and begins the read-only transaction. */
export async function openSession(
  connection: PostgresqlConnection,
  options: SessionOptions,
): Promise<Session> {
  const session = await connectSession(connection, options);
  try {
    await session.client.query(session.begin().join(';'));
    return session;
  } catch (error) {
    const explained = session.explain(error);
    await session.abandon();
    throw explained;
  }
}

/**
 * Connects a session without beginning its transaction: the caller must send `begin` first. A pooled connection was
 * checked against the service's own database when it was new, and its database cannot change. The rights of its login
 * were checked then too. A caller that tolerates less than the previous one gets a new connection.
 */
export async function connectSession(
  connection: PostgresqlConnection,
  options: SessionOptions,
): Promise<Session> {
  const deadline = startDeadline(options);
  const { ownDatabases, logins } = options.guards;
  const areOptionsGiven = options.startupOptions?.areWanted(connection) ?? false;
  let hasSignedIn = false;
  let session: Session | undefined;
  let link: Link | undefined;
  try {
    deadline.signal.throwIfAborted();
    const isFit = options.pool !== undefined && logins.isKnownFit(connection, options);
    const reused = isFit ? await options.pool.take(connection) : undefined;
    if (reused) return createSession(reused, connection, deadline, options, true);
    link = await dialLink(
      connection,
      options.dial,
      deadline.signal,
      areOptionsGiven ? startupOptionsText : undefined,
    );
    session = createSession(link, connection, deadline, options, false);
    await link.client.connect();
    hasSignedIn = true;
    await assertNotOwnDatabase(link.client, ownDatabases);
    if (!isFit) await logins.assertFit(link.client, connection, options);
    link.hasStartupOptions = areOptionsGiven && (await areStartupOptionsInForce(link));
    if (areOptionsGiven && !link.hasStartupOptions) options.startupOptions?.refuse(connection);
    return session;
  } catch (error) {
    const explained =
      (!hasSignedIn && link && foreignServerAt(link, connection, error)) ||
      (session?.explain(error) ?? deadline.reason() ?? postgresqlError(error, connection));
    const timeoutMs = deadline.remainingMs();
    await session?.abandon();
    deadline.dispose();
    if (
      areOptionsGiven &&
      !hasSignedIn &&
      deadline.reason() === undefined &&
      mayRefuseStartupOptions(error)
    ) {
      options.startupOptions?.refuse(connection);
      return connectSession(connection, { ...options, timeoutMs });
    }
    throw explained;
  }
}

function foreignServerAt(
  { greeting }: Link,
  connection: PostgresqlConnection,
  cause: unknown,
): ConnectorError | undefined {
  const first = greeting();
  if (first === undefined || isPostgresqlGreeting(first, connection.tlsMode !== 'Disable')) return undefined;
  return foreignServer(connection, { protocol: 'PostgreSQL', cause });
}

function createSession(
  link: Link,
  connection: PostgresqlConnection,
  deadline: Deadline,
  options: SessionOptions,
  isReused: boolean,
): Session {
  const { client } = link;
  let cause: ConnectorError | undefined;
  let isOver = false;

  link.watch.begin({
    messageBytesMax: options.limits.maxCellBytes * rowToCellFactor,
    rowBytesMax: options.limits.maxBytes,
    onTooLarge: (what) => {
      cause ??= tooLarge(what, options.limits);
      void abandon();
    },
  });

  const onDeadline = () => void abandon();
  deadline.signal.addEventListener('abort', onDeadline, { once: true });
  // Waiting for a pooled connection may have used up the time.
  if (deadline.signal.aborted) onDeadline();

  function end(): boolean {
    if (isOver) return false;
    isOver = true;
    deadline.signal.removeEventListener('abort', onDeadline);
    deadline.dispose();
    return true;
  }

  // A second call waits for the same cancel: a stopped run must have ended when its failure is reported.
  let leaving: Promise<void> = Promise.resolve();
  function abandon(): Promise<void> {
    if (end()) leaving = leave();
    return leaving;
  }

  async function leave(): Promise<void> {
    const key = link.backendKey();
    link.destroy();
    if (key) await cancelBackend(options.dial, connection, key);
  }

  async function finish(): Promise<void> {
    if (!end()) return;
    const cleaned = clean(link);
    const isKeptOn = offer(cleaned);
    if ((await cleaned) && !isKeptOn) link.leave();
  }

  function release(): void {
    if (end() && link.isOpen() && !offer(Promise.resolve(true))) link.leave();
  }

  const offer = (cleaned: Promise<boolean>): boolean =>
    options.pool?.offer(connection, link, cleaned) ?? false;

  return {
    client,
    deadline,
    isReused,
    rowBytes: link.watch.rowBytes,
    begin: () =>
      beginReadOnly(deadline.remainingMs(), {
        pauseMs: options.pauses ? pauseMaxMs : 0,
        serverVersion: link.serverVersion(),
      }),
    beginWithStartupOptions: () =>
      link.hasStartupOptions ? beginWithStartupOptions(deadline.remainingMs()) : undefined,
    explain: (error, sql) => cause ?? deadline.reason() ?? postgresqlError(error, connection, sql),
    finish,
    release,
    abandon,
  };
}

/**
 * Ends the transaction and removes its state from the session: locks, settings, temporary tables, plans. It is needed
 * even before closing: behind a transaction pooler the server's session outlives the connection.
 */
export const resetParts = [runTexts(['ROLLBACK', 'DISCARD ALL'])];

/** Resets the session. Returns false and cuts the connection if the server does not do so in time. */
async function clean(link: Link): Promise<boolean> {
  const cut = setTimeout(() => link.destroy(), farewellTimeoutMs);
  try {
    await exchange(link.client, resetParts);
    return link.isOpen();
  } catch {
    link.destroy();
    return false;
  } finally {
    clearTimeout(cut);
  }
}

/**
 * Output formats that the cell readers expect, and the string syntax that the lexer expects. Separate statements are
 * faster: one statement with `set_config` for all takes the server 1.5 times as long.
 */
const outputSettings = [
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'iso_8601'",
  "set local timezone = 'UTC'",
  "set local bytea_output = 'hex'",
  'set local extra_float_digits = 1',
  'set local standard_conforming_strings = on',
];

/** `DISCARD ALL` does not reset the seed of `random()`, so each transaction sets a new one. */
const newSeed = (): string => `set local seed = ${Math.random().toFixed(15)}`;

/** From this version on, a backend can stop when its client has disconnected. */
const connectionCheckSince = 14;

/**
 * Returns the statements that begin the transaction. None of them comes from a user.
 *
 * @param server  longest pause of the reader, and the server's major version as it reported it.
 */
function beginReadOnly(
  timeoutMs: number,
  { pauseMs, serverVersion }: { readonly pauseMs: number; readonly serverVersion: number | undefined },
): string[] {
  return [
    'begin read only',
    `set local statement_timeout = ${timeoutMs}`,
    `set local lock_timeout = ${timeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${timeoutMs + pauseMs + farewellTimeoutMs}`,
    ...outputSettings,
    newSeed(),
    ...((serverVersion ?? 0) >= connectionCheckSince
      ? ['set local client_connection_check_interval = 1000']
      : []),
  ];
}

const beginWithStartupOptions = (timeoutMs: number): string[] => [
  'begin read only',
  assertStartupOptions,
  `set local statement_timeout = ${timeoutMs}`,
  newSeed(),
];

function tooLarge(what: 'message' | 'rows', { maxBytes, maxCellBytes }: SessionLimits): ConnectorError {
  return what === 'rows'
    ? new ConnectorError('too-many-bytes', `The result has more than ${plural(maxBytes, 'byte')}.`)
    : new ConnectorError(
        'value-too-large',
        `A row of the result has more than ${plural(maxCellBytes * rowToCellFactor, 'byte')}; one value may have ${count(maxCellBytes)}.`,
      );
}
