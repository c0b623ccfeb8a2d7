import { ConnectorError, type ConnectorErrorCode, positionAt, type SqlPosition } from '../error.ts';
import { type TlsSettings, tlsError } from '../network/tls.ts';

/** Codes by the numbers of `sys.messages`. All other numbers mean that the statement failed. */
const codesByNumber = new Map<number, ConnectorErrorCode>([
  [4060, 'database-not-found'],
  [911, 'database-not-found'],
  ...[18452, 18456, 18461, 18470, 18486, 18487, 18488].map((number): [number, ConnectorErrorCode] => [
    number,
    'authentication-failed',
  ]),
  ...[229, 230, 262, 297, 300, 371, 916, 2571].map((number): [number, ConnectorErrorCode] => [
    number,
    'permission-denied',
  ]),
  [3906, 'read-only'],
  [1222, 'timed-out'],
  ...[701, 802, 1101, 1105, 8645, 8651].map((number): [number, ConnectorErrorCode] => [
    number,
    'out-of-memory',
  ]),
]);

const messageLengthMax = 2_000;

/** Error of the server, with its number, line and procedure. */
export type ServerError = {
  readonly message: string;
  readonly number: number;
  readonly lineNumber?: number | undefined;
  readonly procName?: string | undefined;
};

const isServerError = (error: unknown): error is Error & ServerError =>
  error instanceof Error && 'number' in error && typeof error.number === 'number';

/** Converts an error of the server into an error of the port. */
export function serverError(error: ServerError, sql?: string): ConnectorError {
  const position = sql === undefined ? undefined : placeInText(error, sql);
  return new ConnectorError(
    codesByNumber.get(error.number) ?? 'statement-failed',
    error.message.slice(0, messageLengthMax),
    {
      engineCode: String(error.number),
      origin: 'Execution',
      ...(position && { position }),
    },
  );
}

/** Converts an error of the server or the driver into an error of the port. */
export function sqlserverError(error: unknown, connection: TlsSettings, sql?: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  // The first of several errors of one statement is the cause. The others report its consequences.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof ConnectorError) return first;
  if (isServerError(first)) return serverError(first, sql);
  for (const cause of causesOf(first)) {
    if (cause instanceof ConnectorError) return cause;
    const failedTls = encryptionError(cause, connection) ?? tlsError(cause, connection);
    if (failedTls) return failedTls;
  }
  return new ConnectorError('connection-lost', 'The connection to the server was lost.', { cause: error });
}

const causesMax = 5;

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < causesMax; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** Returns the error for a mismatch: only one side wants encryption. */
function encryptionError(error: unknown, { host, tlsMode }: TlsSettings): ConnectorError | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EENCRYPT')) return undefined;
  const message =
    tlsMode === 'Disable'
      ? `The server at ${host} takes only encrypted connections. Choose another TLS mode.`
      : `The server at ${host} does not offer TLS. Set the TLS mode to Disable only if the network is trusted.`;
  return new ConnectorError('tls-failed', message, { cause: error });
}

const namedWords = [
  /^Incorrect syntax near (?:the keyword )?'([^']+)'/,
  /^Invalid (?:column|object) name '(?:[^']*\.)?([^'.]+)'/,
  /^'([^']+)' is not a recognized/,
  /^The multi-part identifier "(?:[^"]*\.)?([^".]+)" could not be bound/,
  /^Column '(?:[^']*\.)?([^'.]+)' is invalid in the select list/,
  /^Ambiguous column name '([^']+)'/,
];

/** Locates an error by its line, and by a word of the statement if the message has one. Undefined for a failed procedure. */
function placeInText(
  { message, lineNumber = 0, procName = '' }: ServerError,
  sql: string,
): SqlPosition | undefined {
  if (procName !== '' || lineNumber < 1) return undefined;
  const lines = sql.split('\n');
  if (lineNumber > lines.length) return undefined;
  const start = lines.slice(0, lineNumber - 1).reduce((sum, line) => sum + line.length + 1, 0);
  for (const pattern of namedWords) {
    const name = pattern.exec(message)?.[1];
    if (name === undefined) continue;
    // The server reports the first line of the statement. The word may be on a later line.
    const at = sql.toLowerCase().indexOf(name.toLowerCase(), start);
    if (at !== -1) return positionAt(sql, at);
  }
  return positionAt(sql, start);
}
