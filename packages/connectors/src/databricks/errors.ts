import { ConnectorError, type ConnectorErrorCode, positionAt, type SqlPosition } from '../error.ts';
import { httpFailure } from '../http/failure.ts';
import { withoutJwt } from '../http/hidden-jwt.ts';
import { hidden, hideAll } from '../http/hidden-secret.ts';
import { property } from '../http/json/json-property.ts';
import { plainText } from '../http/plain-text.ts';
import { foreignServer } from '../network/greeting.ts';
import { type DatabricksConnection, targetOf } from './settings.ts';

/** Codes by the service's `error_code`. All other codes mean that the statement failed. */
const codesByName = new Map<string, ConnectorErrorCode>([
  ['CANCELLED', 'cancelled'],
  ['DEADLINE_EXCEEDED', 'timed-out'],
  ['UNAUTHENTICATED', 'authentication-failed'],
  ['PERMISSION_DENIED', 'permission-denied'],
]);
/** Codes by the error class at the start of a message. */
const codesByClass = new Map<string, ConnectorErrorCode>([
  ['INSUFFICIENT_PERMISSIONS', 'permission-denied'],
  ['PERMISSION_DENIED', 'permission-denied'],
  ['UNAUTHORIZED_ACCESS', 'permission-denied'],
  ['STATEMENT_TIMEOUT', 'timed-out'],
  ['OPERATION_CANCELED', 'cancelled'],
]);
const noPrivilege = '42501';

/** Codes by the status of an answer, for messages without another known code. */
const codesByStatus = new Map<number, ConnectorErrorCode>([
  [401, 'authentication-failed'],
  [403, 'permission-denied'],
  [404, 'connection-failed'],
]);
/** The service reports an invalid token with the status for missing permission. */
const wrongToken = /\b(?:invalid access token|token (?:is|has) (?:expired|been revoked)|invalid token)\b/i;
/** `Inline byte limit exceeded. Statements executed with disposition=INLINE …`. */
const inlineLimit = /\binline byte limit exceeded\b/i;
/** The service's own limit on a result within its answer. */
export const inlineBytesMax = 25 * 1_024 * 1_024;

const messageLengthMax = 2_000;
const engineCodeLengthMax = 80;

/** Text of a statement, and the number of lines before it in the sent text. */
export type SentText = { readonly sql: string; readonly linesBefore: number };

/** Failure as the service reports it. A failed request has a `status`; a failed statement has none. */
export type ServiceFailure = {
  readonly status?: number;
  /** An object with a `message`. */
  readonly body: unknown;
  readonly sqlState?: unknown;
  readonly sent?: SentText | undefined;
  /** Texts that no message may repeat. */
  readonly secrets: readonly string[];
};

/** Reads the service's error; undefined for a body without a message. */
export function databricksError(failure: ServiceFailure): ConnectorError | undefined {
  const { body, sent, secrets } = failure;
  const message = property(body, 'message');
  if (typeof message !== 'string' || message === '') return undefined;
  if (inlineLimit.test(message)) return tooManyInline();
  const name = property(body, 'error_code');
  const errorClass = /^\s*\[([A-Z][\w.]*)\]/.exec(message)?.[1];
  const position = sent && placeInText(message, sent);
  const engineCode = errorClass ?? (typeof name === 'string' && name !== '' ? name : undefined);
  const code = codeOf(failure, message, errorClass);
  return new ConnectorError(code, cleanWords(message, secrets), {
    origin: 'Execution',
    ...(engineCode !== undefined && { engineCode: engineCode.slice(0, engineCodeLengthMax) }),
    ...(position && { position }),
  });
}

export const tooManyInline = (): ConnectorError =>
  new ConnectorError(
    'too-many-bytes',
    `The result has more than the ${inlineBytesMax / 1_024 / 1_024} MiB that Databricks puts in its answers.`,
  );

function codeOf(
  { status, body, sqlState }: ServiceFailure,
  message: string,
  errorClass = '',
): ConnectorErrorCode {
  if (status !== undefined && wrongToken.test(message)) return 'authentication-failed';
  const code =
    codesByName.get(String(property(body, 'error_code'))) ??
    codesByClass.get(errorClass.split('.')[0] ?? '') ??
    (status === undefined ? undefined : codesByStatus.get(status));
  if (code) return code;
  const state = sqlState ?? /\bSQLSTATE: (\w{5})\b/.exec(message)?.[1];
  return state === noPrivilege ? 'permission-denied' : 'statement-failed';
}

/** Personal tokens begin with `dapi`, secrets of service principals with `dose`. */
const personalToken = /\b(?:dapi|dose)[0-9a-f]{16,}(?:-\d+)?\b/g;

/** Returns a message for users, without the secrets that an answer may repeat. */
export function cleanWords(text: string, secrets: readonly string[]): string {
  // Secrets are hidden first. Otherwise a secret that contains a token-like text would be hidden only in part.
  const clean = withoutJwt(hideAll(text, secrets)).replaceAll(personalToken, hidden);
  // Removes the statement and the line under it that marks the position.
  const end = clean.search(/== SQL\b/);
  const message = end === -1 ? clean : clean.slice(0, end);
  return plainText(message, messageLengthMax);
}

/**
 * Reads the position of an error: `(line 2, pos 7)` or `line 2 pos 7` when compiling fails, and `(line 2, position
 * 8)` when execution fails. Lines count from 1. Characters count from 0 after `pos`, and from 1 after `position`.
 */
function placeInText(message: string, { sql, linesBefore }: SentText): SqlPosition | undefined {
  const [, lineText, unit, number] = /\bline (\d{1,9}),? (pos|position) (\d{1,9})\b/.exec(message) ?? [];
  const line = Number(lineText) - linesBefore;
  const position = Number(number) - (unit === 'position' ? 1 : 0);
  const lines = sql.split('\n');
  const lineOfError = lines[line - 1];
  if (lineOfError === undefined) return undefined;
  const before = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
  const characters = [...lineOfError].slice(0, position).join('');
  return position < 0 || position > [...lineOfError].length
    ? undefined
    : positionAt(sql, before + characters.length);
}

export const unreadableAnswer = (cause?: unknown): ConnectorError =>
  new ConnectorError('connection-lost', 'The server sent what is no answer of Databricks.', { cause });

/** Error for a server that answers but is not a Databricks workspace. */
export const notDatabricks = (connection: DatabricksConnection, cause?: unknown): ConnectorError =>
  foreignServer(connection, { protocol: 'Databricks', cause });

const untrusted = 'Where a proxy signs it, give the CA certificate.';

/** Converts a failure of the connection to the service into an error of the port. */
export const connectionError = (error: unknown, connection: DatabricksConnection): ConnectorError =>
  httpFailure(error, targetOf(connection), { protocol: 'Databricks', what: 'Databricks', untrusted });
