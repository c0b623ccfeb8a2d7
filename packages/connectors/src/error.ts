/** Stable codes of what can go wrong with a data source. Messages may change, codes do not. */
export type ConnectorErrorCode =
  /** The settings do not parse; `fields` says where. */
  | 'invalid-settings'
  /** The file does not exist, cannot be read or is not of the engine's format. */
  | 'file-unreadable'
  /** The file lies outside the folders that the operator allows. */
  | 'file-not-allowed'
  /** The destination is refused before anything is sent to it. */
  | 'destination-refused'
  | 'connection-failed'
  | 'tls-failed'
  | 'authentication-failed'
  | 'database-not-found'
  /** It is the database that the service keeps its own records in. */
  | 'own-database'
  /** The login may reach files or programs of the server, and the settings do not accept that. */
  | 'privileged-login'
  /** The login may write, the engine has no read-only transactions, and the settings do not accept that. */
  | 'login-may-write'
  /** The connection broke while it was in use. */
  | 'connection-lost'
  /** The statement is not one that reads. */
  | 'not-a-read'
  /** There is text after the first statement. */
  | 'more-than-one-statement'
  | 'empty-statement'
  /** The statement calls a function with effects outside its result. */
  | 'function-refused'
  /** A form that this service does not accept, e.g. executable comments. */
  | 'syntax-refused'
  /** The engine refused because the statement would write. */
  | 'read-only'
  | 'permission-denied'
  /** The engine's own error, with its message and often a position. */
  | 'statement-failed'
  | 'timed-out'
  | 'cancelled'
  | 'too-many-rows'
  | 'too-many-bytes'
  | 'value-too-large'
  /** The engine ran out of the memory or temporary space that it is given. */
  | 'out-of-memory'
  /** The driver is not installed, or its process could not be started. */
  | 'engine-unavailable';

/**
 * Source of an error's words.
 *
 * - `Service`: the connector wrote them. They hold no value of a row.
 * - `StatementText`: the engine wrote them before it read a row. They hold the statement's own text and names of the
 *   catalogue.
 * - `Execution`: the engine wrote them while or after it read rows. They may repeat any value.
 */
export type ErrorOrigin = 'Service' | 'StatementText' | 'Execution';

/** Codes whose words are the engine's unless the connector says otherwise. */
const codesOfEngines: ReadonlySet<ConnectorErrorCode> = new Set([
  'statement-failed',
  'read-only',
  'permission-denied',
  'file-unreadable',
]);

/** A place in the statement's text. `offset` counts UTF-16 units from 0, `line` and `column` from 1. */
export type SqlPosition = { readonly offset: number; readonly line: number; readonly column: number };

export type ConnectorErrorDetails = {
  readonly position?: SqlPosition;
  /** The engine's own code, e.g. an SQLSTATE. */
  readonly engineCode?: string;
  readonly hint?: string;
  /** Sentences of the connector about what it did. They hold no value of a row, so gateways pass them on unchanged. */
  readonly note?: string;
  /** Default: `Execution` for the codes that engines give, else `Service`. An engine's words always name it. */
  readonly origin?: ErrorOrigin;
  /** For `invalid-settings`: what is wrong with which field. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
  readonly cause?: unknown;
};

/**
 * The only error that a connector rejects with. Its message is one sentence for people and holds no secret of the
 * connection. It may repeat values of rows, see `origin`: a gateway passes it on in a cleaned form alone.
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

/** Line and column of an offset. */
export function positionAt(sql: string, offset: number): SqlPosition {
  const at = Math.max(0, Math.min(offset, sql.length));
  const before = sql.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { offset: at, line: before.split('\n').length, column: at - lineStart + 1 };
}

/** Position of the character with this number, counted from 1 in code points as engines count. */
export function positionOfCharacter(sql: string, character: number): SqlPosition {
  let offset = 0;
  for (let left = character - 1; left > 0 && offset < sql.length; left--) {
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return positionAt(sql, offset);
}

/** The same error for a text with more in front of it. */
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
