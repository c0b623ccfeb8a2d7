/** Stable codes of failures with a data source. Messages may change, codes do not. */
export type ConnectorErrorCode =
  /** The settings do not parse; `fields` names the fields. */
  | 'invalid-settings'
  /** The file does not exist, cannot be read or does not have the engine's format. */
  | 'file-unreadable'
  /** The file is outside the folders that the operator allows. */
  | 'file-not-allowed'
  /** The destination is refused before any data is sent to it. */
  | 'destination-refused'
  | 'connection-failed'
  | 'tls-failed'
  | 'authentication-failed'
  | 'database-not-found'
  /** The database is the service's own. */
  | 'own-database'
  /** The login may access files or programs of the server, and the settings do not accept that. */
  | 'privileged-login'
  /** The login may write, the engine has no read-only transactions, and the settings do not accept that. */
  | 'login-may-write'
  /** The connection broke while it was in use. */
  | 'connection-lost'
  /** The statement does not only read. */
  | 'not-a-read'
  /** Text follows the first statement. */
  | 'more-than-one-statement'
  | 'empty-statement'
  /** The statement calls a function with effects outside its result. */
  | 'function-refused'
  /** The service does not accept a form of the statement, e.g. executable comments. */
  | 'syntax-refused'
  /** The engine refused the statement because it would write. */
  | 'read-only'
  | 'permission-denied'
  /** The engine's own error, with its message and often a position. */
  | 'statement-failed'
  | 'timed-out'
  | 'cancelled'
  | 'too-many-rows'
  | 'too-many-bytes'
  | 'value-too-large'
  /** The engine exceeded its memory or temporary space. */
  | 'out-of-memory'
  /** The driver is not installed, or its process could not be started. */
  | 'engine-unavailable';

/**
 * Source of an error's message.
 *
 * - `Service`: the connector wrote it. It contains no value of a row.
 * - `StatementText`: the engine wrote it before it read a row. It contains only the statement's own text and names of
 *   the catalogue.
 * - `Execution`: the engine wrote it while or after it read rows. It may repeat any value.
 */
export type ErrorOrigin = 'Service' | 'StatementText' | 'Execution';

/** Codes whose messages are the engine's unless the connector states another origin. */
const codesOfEngines: ReadonlySet<ConnectorErrorCode> = new Set([
  'statement-failed',
  'read-only',
  'permission-denied',
  'file-unreadable',
]);

/** Position in the statement's text. `offset` counts UTF-16 units from 0, `line` and `column` from 1. */
export type SqlPosition = { readonly offset: number; readonly line: number; readonly column: number };

export type ConnectorErrorDetails = {
  readonly position?: SqlPosition;
  /** The engine's own code, e.g. an SQLSTATE. */
  readonly engineCode?: string;
  readonly hint?: string;
  /** Message of the connector about its own actions. It contains no value of a row, so gateways pass it on unchanged. */
  readonly note?: string;
  /** Default: `Execution` for the codes of engine errors, else `Service`. Engine messages must always set it. */
  readonly origin?: ErrorOrigin;
  /** For `invalid-settings`: the fault of each field. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
  readonly cause?: unknown;
};

/**
 * The only error that a connector rejects with. Its message is one sentence for users and contains no secret of the
 * connection. It may repeat values of rows, see `origin`: a gateway passes on only a cleaned form.
 */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly code: ConnectorErrorCode;
  readonly position: SqlPosition | undefined;
  readonly engineCode: string | undefined;
  readonly hint: string | undefined;
  readonly note: string | undefined;
  readonly origin: ErrorOrigin;
  readonly fields: readonly { readonly field: string; readonly message: string }[];

  constructor(code: ConnectorErrorCode, message: string, details: ConnectorErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.position = details.position;
    this.engineCode = details.engineCode;
    this.hint = details.hint;
    this.note = details.note;
    this.origin = details.origin ?? (codesOfEngines.has(code) ? 'Execution' : 'Service');
    this.fields = details.fields ?? [];
  }
}

/** Returns the position of an offset, with its line and column. */
export function positionAt(sql: string, offset: number): SqlPosition {
  const at = Math.max(0, Math.min(offset, sql.length));
  const before = sql.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { offset: at, line: before.split('\n').length, column: at - lineStart + 1 };
}

/** Returns the position of a character by its number, counted from 1 in code points as engines count. */
export function positionOfCharacter(sql: string, character: number): SqlPosition {
  let offset = 0;
  for (let remaining = character - 1; remaining > 0 && offset < sql.length; remaining--) {
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return positionAt(sql, offset);
}

/** Returns the same error for a text with a prefix of the given length. */
export function movedBy(error: ConnectorError, sql: string, length: number): ConnectorError {
  if (!error.position) return error;
  return new ConnectorError(error.code, error.message, {
    position: positionAt(sql, error.position.offset + length),
    ...(error.engineCode !== undefined && { engineCode: error.engineCode }),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.note !== undefined && { note: error.note }),
    origin: error.origin,
    cause: error.cause,
  });
}
