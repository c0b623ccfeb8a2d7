import { ConnectorError, type ConnectorErrorCode, positionAt } from '../error.ts';
import { type TlsSettings, tlsError } from '../network/tls.ts';

const codesByName = new Map<string, ConnectorErrorCode>([
  ['ER_ACCESS_DENIED_ERROR', 'authentication-failed'],
  ['ER_ACCESS_DENIED_NO_PASSWORD_ERROR', 'authentication-failed'],
  ['ER_HOST_NOT_PRIVILEGED', 'authentication-failed'],
  ['ER_DBACCESS_DENIED_ERROR', 'permission-denied'],
  ['ER_BAD_DB_ERROR', 'database-not-found'],
  ['ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', 'read-only'],
  ['ER_OPTION_PREVENTS_STATEMENT', 'read-only'],
  ['ER_TABLEACCESS_DENIED_ERROR', 'permission-denied'],
  ['ER_COLUMNACCESS_DENIED_ERROR', 'permission-denied'],
  ['ER_PROCACCESS_DENIED_ERROR', 'permission-denied'],
  ['ER_SPECIFIC_ACCESS_DENIED_ERROR', 'permission-denied'],
  ['ER_QUERY_TIMEOUT', 'timed-out'],
  ['ER_STATEMENT_TIMEOUT', 'timed-out'],
  ['ER_QUERY_INTERRUPTED', 'cancelled'],
  ['ER_OUTOFMEMORY', 'out-of-memory'],
  ['ER_OUT_OF_RESOURCES', 'out-of-memory'],
  ['PROTOCOL_CONNECTION_LOST', 'connection-lost'],
  ['ECONNRESET', 'connection-lost'],
  ['EPIPE', 'connection-lost'],
  ['ER_SERVER_SHUTDOWN', 'connection-lost'],
]);

/** Numbers of MariaDB that the driver's table of names does not have. */
const codesByNumber = new Map<number, ConnectorErrorCode>([
  [1969, 'timed-out'],
  [3024, 'timed-out'],
  [1792, 'read-only'],
  [1317, 'cancelled'],
]);

/** Converts an error of the server or the driver into an error of the port. */
export function mysqlError(error: unknown, connection: TlsSettings, sql?: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const failedTls = tlsError(error, connection);
  if (failedTls) return failedTls;
  if (!(error instanceof Error))
    return new ConnectorError('connection-lost', 'The connection to the server was lost.', { cause: error });
  const name = 'code' in error ? String(error.code) : '';
  const number = 'errno' in error ? Number(error.errno) : 0;
  const isServer = 'sqlState' in error;
  const code =
    codesByNumber.get(number) ?? codesByName.get(name) ?? (isServer ? 'statement-failed' : 'connection-lost');
  const message = isServer ? error.message : 'The connection to the server was lost.';
  const position = sql === undefined ? undefined : placeInText(error.message, sql);
  return new ConnectorError(code, message, {
    ...(name === '' ? {} : { engineCode: isServer ? `${number}` : name }),
    ...(position === undefined ? {} : { position }),
    origin: isServer ? 'Execution' : 'Service',
    cause: error,
  });
}

/**
 * Locates an error. For a syntax error the server quotes the text from the error on, with its line. Other errors only
 * name a word.
 */
function placeInText(message: string, sql: string) {
  const near = /near '([\s\S]*)' at line (\d+)$/.exec(message);
  if (near) {
    const [, rest = '', line = '1'] = near;
    const lineStart =
      sql
        .split('\n')
        .slice(0, Number(line) - 1)
        .join('\n').length + (Number(line) > 1 ? 1 : 0);
    const at = rest === '' ? sql.length : sql.indexOf(rest, lineStart);
    return positionAt(sql, at === -1 ? lineStart : at);
  }
  const named = /^Unknown column '([^']+)'|^Table '(?:[^'.]+\.)?([^']+)' doesn't exist/.exec(message);
  const name = named?.[1] ?? named?.[2];
  const at = name === undefined ? -1 : sql.indexOf(name);
  return at === -1 ? undefined : positionAt(sql, at);
}
