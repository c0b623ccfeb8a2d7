import { ConnectorError, type ConnectorErrorCode, positionOfCharacter } from '../error.ts';
import { type TlsSettings, tlsError } from '../network/tls.ts';

/** SQLSTATEs, or their class (two characters), with a code of their own. */
const codesByState = new Map<string, ConnectorErrorCode>([
  ['28', 'authentication-failed'],
  ['3D000', 'database-not-found'],
  ['25006', 'read-only'],
  ['42501', 'permission-denied'],
  ['57014', 'timed-out'],
  ['53200', 'out-of-memory'],
  ['53400', 'out-of-memory'],
  ['57P', 'connection-lost'],
  ['08', 'connection-lost'],
]);

/** SQLSTATE classes of errors that functions raise: PL/pgSQL, external routines, the server's own defects. */
const classesOfFunctions: ReadonlySet<string> = new Set(['P0', '38', '39', 'XX']);

type ServerError = Error & {
  code: string;
  position?: string;
  hint?: string;
  where?: string;
  severity: string;
};

const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';

/** Converts an error of the server or the driver into an error of the port. */
export function postgresqlError(error: unknown, connection: TlsSettings, sql?: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const failedTls = tlsError(error, connection);
  if (failedTls) return failedTls;
  if (isServerError(error)) return serverError(error, sql);
  const message = error instanceof Error ? error.message : String(error);
  if (/password|SASL|SCRAM/i.test(message)) {
    return new ConnectorError('authentication-failed', `The sign-in failed: ${message}.`, { cause: error });
  }
  return new ConnectorError('connection-lost', 'The connection to the server was lost.', { cause: error });
}

function serverError(error: ServerError, sql: string | undefined): ConnectorError {
  const state = error.code;
  const code =
    codesByState.get(state) ?? codesByState.get(state.slice(0, 3)) ?? codesByState.get(state.slice(0, 2));
  // The same SQLSTATE means a timeout and a cancel by an administrator.
  const isCancelled = state === '57014' && !error.message.includes('timeout');
  const isSecondStatement = state === '42601' && error.message.includes('multiple commands');
  const character = Number(error.position);
  const isInText = sql !== undefined && character > 0;
  // Errors before the first row have a position and no context. A value that is parsed during execution, such as the
  // name of a type, has a position in that value, and a context.
  const isBeforeRows = isInText && error.where === undefined && !classesOfFunctions.has(state.slice(0, 2));
  return new ConnectorError(
    isSecondStatement ? 'more-than-one-statement' : isCancelled ? 'cancelled' : (code ?? 'statement-failed'),
    error.message,
    {
      engineCode: state,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(isBeforeRows ? { position: positionOfCharacter(sql, character) } : {}),
      origin: isBeforeRows ? 'StatementText' : 'Execution',
      cause: error,
    },
  );
}
