import { exchange, runTexts } from '@svc/pg-wire';
import type pg from 'pg';
import { type Deadline, pauseMaxMs, startDeadline } from '../../deadline.ts';
import { ConnectorError } from '../../error.ts';
import { foreignServer } from '../../greeting.ts';
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

/** How long a finished session may take to roll back and say goodbye before its connection is cut. */
const farewellTimeoutMs = 1_000;
/** A whole row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;

export type SessionLimits = { readonly maxBytes: number; readonly maxCellBytes: number };

/** What a connection is refused for after it has signed in. */
export type SessionGuards = {
  readonly ownDatabases: readonly DatabaseIdentity[];
  readonly logins: LoginGuard;
};

export type SessionOptions = CallOptions & {
  readonly limits: SessionLimits;
  readonly guards: SessionGuards;
  /** Where connections come from and go to; without it each is new, and dropped in the end. */
  readonly pool?: ConnectionPool;
  /** Where settings may be given at sign-in; without it they are set in each transaction. */
  readonly startupOptions?: StartupOptions;
};

/** A connection that serves one statement inside one read-only transaction. */
export type Session = {
  readonly client: pg.Client;
  readonly deadline: Deadline;
  /** True for a connection that has served another statement before. */
  readonly isReused: boolean;
  readonly rowBytes: () => number;
  /** Statements that begin the read-only transaction, with the time that is left now. */
  readonly begin: () => string[];
  /**
   * The same where what never changes was given at sign-in: for a transaction that is begun, used and ended in one
   * exchange. Should the settings not be in force, a statement of these fails. Undefined where they were not given.
   */
  readonly beginWithStartupOptions: () => string[] | undefined;
  /** The error to tell: a limit or the deadline that ended the session counts before what the driver makes of it. */
  readonly explain: (error: unknown, sql?: string) => ConnectorError;
  /** Rolls back and resets; then the connection is kept or closed. Never rejects. */
  readonly finish: () => Promise<void>;
  /** For a session whose last exchange has ended with `resetParts`: the connection is kept or closed. */
  readonly release: () => void;
  /** Cuts the connection and has the server stop the statement. Never rejects. */
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
 * A session whose transaction has not begun: whoever takes it sends `begin` before anything else. A connection of the
 * pool was found not to be the service's own database when it was new, and cannot have become another. What its login
 * may do was asked then too; a caller that tolerates less than the one before gets a new connection.
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
  // A connection of the pool was waited for: the time may be over already.
  if (deadline.signal.aborted) onDeadline();

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
 * Ends the transaction and leaves nothing of it in the session: locks, settings, temporary tables, plans. That counts
 * also where the connection is closed next, since behind a transaction pooler the server's session outlives it.
 */
export const resetParts = [runTexts(['ROLLBACK', 'DISCARD ALL'])];

/** Resets the session. False, and the connection cut, when the server did not do so in time. */
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
 * The output settings are those that the cells are read by, and strings mean what the reader of the text takes them
 * for. A statement for each: the server takes half as long again for one that sets them all by `set_config`.
 */
const outputSettings = [
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'iso_8601'",
  "set local timezone = 'UTC'",
  "set local bytea_output = 'hex'",
  'set local extra_float_digits = 1',
  'set local standard_conforming_strings = on',
];

/** `DISCARD ALL` leaves the seed of `random()`, so each transaction begins with one of its own. */
const newSeed = (): string => `set local seed = ${Math.random().toFixed(15)}`;

/** A backend whose client has gone stops by itself, from this version on. */
const connectionCheckSince = 14;

/**
 * Statements that begin the transaction; they are ours alone.
 *
 * @param server  Longest pause of the reader, and the server's major version as it said itself.
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
    ? new ConnectorError('too-many-bytes', `The result has more than ${maxBytes} bytes.`)
    : new ConnectorError(
        'value-too-large',
        `A row of the result has more than ${maxCellBytes * rowToCellFactor} bytes; one value may have ${maxCellBytes}.`,
      );
}
