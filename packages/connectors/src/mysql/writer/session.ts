import type { Connection, ResultSetHeader } from 'mysql2';
import { startDeadline } from '../../deadline.ts';
import { ConnectorError } from '../../error.ts';
import type { CallOptions } from '../../port.ts';
import { mysqlError } from '../errors.ts';
import { connectClient, killQuery, query } from '../session.ts';
import type { MysqlConnection } from '../settings.ts';
import { answerRequest, type LocalRows } from './local-rows.ts';

/** Longest wait for a lock at the destination, in seconds. Other sessions work there. */
const lockTimeoutSeconds = 10;

/** Result of a statement without rows. */
export type Written = { readonly affectedRows: number; readonly warnings: number };

/** Connection that may write. It is never shared and never reused. */
export type WritingSession = {
  readonly isMariaDb: boolean;
  readonly rows: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** @param local  rows that the statement may request. */
  readonly run: (sql: string, local?: LocalRows) => Promise<Written>;
  readonly explain: (error: unknown) => ConnectorError;
  /** Closes an idle connection. */
  readonly leave: () => void;
  /** Cuts the connection and makes the server stop its statement, which rolls back. Never rejects. */
  readonly abandon: () => Promise<void>;
};

/** Connects and signs in, without a transaction. The connection is cut after the time limit or when the signal aborts. */
export async function openWritingSession(
  connection: MysqlConnection,
  options: CallOptions,
): Promise<WritingSession> {
  const deadline = startDeadline(options);
  const explain = (error: unknown) => deadline.reason() ?? mysqlError(error, connection);
  try {
    deadline.signal.throwIfAborted();
    const { client, socket } = await connectClient(connection, options.dial, deadline.signal, true);
    const { threadId } = client;
    let leaving: Promise<void> | undefined;
    const onAbort = () => void abandon();
    const end = () => {
      deadline.signal.removeEventListener('abort', onAbort);
      deadline.dispose();
      client.destroy();
      socket.destroy();
    };
    const abandon = (): Promise<void> => {
      leaving ??= Promise.resolve(end()).then(() => killQuery(connection, options.dial, threadId));
      return leaving;
    };
    const leave = () => {
      leaving ??= Promise.resolve(end());
    };
    deadline.signal.addEventListener('abort', onAbort, { once: true });
    // When the connection is lost, the driver never completes its pending command.
    const lost = new Promise<never>((_resolve, reject) => {
      const closed = () =>
        reject(new ConnectorError('connection-lost', 'The connection to the server was lost.'));
      if (socket.destroyed) closed();
      else socket.once('close', closed);
    });
    lost.catch(() => undefined);
    const session: WritingSession = {
      isMariaDb: isMariaDb(client),
      rows: <Row>(sql: string, values?: readonly unknown[]) =>
        Promise.race([query<Row>(client, sql, values), lost]),
      run: (sql, local) => Promise.race([run(client, sql, local), lost]),
      explain,
      leave,
      abandon,
    };
    try {
      await session.run(sessionSettings(session.isMariaDb, deadline.remainingMs()));
    } catch (error) {
      await abandon();
      throw error;
    }
    return session;
  } catch (error) {
    const explained = explain(error);
    deadline.dispose();
    throw explained;
  }
}

function run(client: Connection, sql: string, local: LocalRows | undefined): Promise<Written> {
  const options = { sql, ...(local && { infileStreamFactory: answerRequest(local) }) };
  return new Promise((resolve, reject) => {
    client.query(options, (error: unknown, answer: unknown) => {
      if (error) return reject(error);
      const { affectedRows = 0, warningStatus = 0 } = (answer ?? {}) as Partial<ResultSetHeader>;
      return resolve({ affectedRows, warnings: warningStatus });
    });
  });
}

function isMariaDb(client: Connection): boolean {
  const { _handshakePacket } = client as unknown as { _handshakePacket?: { serverVersion?: string } };
  return /mariadb/i.test(String(_handshakePacket?.serverVersion ?? ''));
}

/**
 * Returns the session settings. Strict modes refuse values that would be cut or changed. A zero is a value, not a
 * request for the next number. Times are UTC. Waits for locks are limited. On MariaDB the server also limits each
 * statement's time.
 */
function sessionSettings(isMaria: boolean, timeoutMs: number): string {
  const limit = isMaria ? `, max_statement_time = ${timeoutMs / 1_000}` : '';
  return `SET SESSION time_zone = '+00:00',
    sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION',
    autocommit = 1, lock_wait_timeout = ${lockTimeoutSeconds},
    innodb_lock_wait_timeout = ${lockTimeoutSeconds}${limit}`;
}
