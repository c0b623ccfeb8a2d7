import type pg from 'pg';
import { startDeadline } from '../../deadline.ts';
import type { ConnectorError } from '../../error.ts';
import type { CallOptions } from '../../port.ts';
import { cancelBackend } from '../connection/cancel.ts';
import { assertNotOwnDatabase } from '../connection/identity.ts';
import { dialLink, type Link } from '../connection/link.ts';
import type { SessionGuards } from '../connection/session.ts';
import { postgresqlError } from '../errors.ts';
import type { PostgresqlConnection } from '../settings.ts';

/** Longest wait for a lock at the destination. Other sessions work there. */
const lockTimeoutMs = 10_000;

/** Connection that may write. It is never shared and never reused. */
export type WritingSession = {
  readonly client: pg.Client;
  readonly explain: (error: unknown) => ConnectorError;
  /** Closes an idle connection. */
  readonly leave: () => void;
  /** Cuts the connection and makes the server stop its statement, which rolls back. Never rejects. */
  readonly abandon: () => Promise<void>;
};

/**
 * Connects, signs in, and refuses the service's own database and privileged logins as for a read. It begins no
 * transaction. The connection is cut after the time limit or when the signal aborts.
 */
export async function openWritingSession(
  connection: PostgresqlConnection,
  options: CallOptions,
  guards: SessionGuards,
): Promise<WritingSession> {
  const deadline = startDeadline(options);
  let link: Link | undefined;
  let leaving: Promise<void> | undefined;
  const onAbort = () => void abandon();
  const abandon = (): Promise<void> => {
    leaving ??= cut();
    return leaving;
  };
  const end = () => {
    deadline.signal.removeEventListener('abort', onAbort);
    deadline.dispose();
  };
  const cut = async (): Promise<void> => {
    end();
    const key = link?.backendKey();
    link?.destroy();
    if (key) await cancelBackend(options.dial, connection, key);
  };
  const explain = (error: unknown) => deadline.reason() ?? postgresqlError(error, connection);
  try {
    deadline.signal.throwIfAborted();
    link = await dialLink(connection, options.dial, deadline.signal);
    deadline.signal.addEventListener('abort', onAbort, { once: true });
    if (deadline.signal.aborted) onAbort();
    const { client } = link;
    await client.connect();
    await assertNotOwnDatabase(client, guards.ownDatabases);
    await guards.logins.assertFit(client, connection, options);
    await client.query(sessionSettings(deadline.remainingMs(), link.serverVersion()));
    const leave = () => {
      leaving ??= Promise.resolve(end()).then(() => link?.leave());
    };
    return { client, explain, leave, abandon };
  } catch (error) {
    const explained = explain(error);
    await abandon();
    throw explained;
  }
}

/** From this version on, a backend can stop when its client has disconnected. */
const connectionCheckSince = 14;

/** Returns the session settings: formats for reading texts, and durable commits regardless of the login's own settings. */
const sessionSettings = (timeoutMs: number, serverVersion: number | undefined): string =>
  [
    `set statement_timeout = ${timeoutMs}`,
    `set lock_timeout = ${lockTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${timeoutMs}`,
    "set client_encoding = 'UTF8'",
    "set datestyle = 'ISO, YMD'",
    "set intervalstyle = 'iso_8601'",
    "set timezone = 'UTC'",
    'set extra_float_digits = 1',
    'set standard_conforming_strings = on',
    'set synchronous_commit = on',
    "set default_transaction_isolation = 'read committed'",
    'set default_transaction_read_only = off',
    ...((serverVersion ?? 0) >= connectionCheckSince ? ['set client_connection_check_interval = 1000'] : []),
  ].join(';');
