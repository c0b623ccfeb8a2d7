import { ConnectorError, type ConnectorErrorCode, positionAt, type SqlPosition } from '../error.ts';
import { httpFailure } from '../http/failure.ts';
import { firstWords, type HiddenSecret, hiddenSecret } from '../http/hidden-secret.ts';
import { plainText } from '../http/plain-text.ts';
import { foreignServer } from '../network/greeting.ts';
import type { ClickhouseConnection } from './settings.ts';

/** Codes by the numbers of the server's `ErrorCodes`. All other numbers mean that the statement failed. */
const codesByNumber = new Map<number, ConnectorErrorCode>([
  [192, 'authentication-failed'],
  [193, 'authentication-failed'],
  [194, 'authentication-failed'],
  [195, 'authentication-failed'],
  [516, 'authentication-failed'],
  [497, 'permission-denied'],
  [164, 'read-only'],
  [159, 'timed-out'],
  [160, 'timed-out'],
  [394, 'cancelled'],
  [735, 'cancelled'],
  [173, 'out-of-memory'],
  [241, 'out-of-memory'],
]);
const unknownDatabase = 81;

const messageLengthMax = 2_000;

/** Characters of an error that are read. Its end is a stack trace. */
const textLengthMax = 65_536;
/** Longest name that is searched for in a statement, in characters. */
const wordLengthMax = 500;

/** `Code: 62. DB::Exception: … (SYNTAX_ERROR) (version …)`, and `Code: 62, e.displayText() = DB::Exception: …`. */
const exception = /Code: (\d{1,9})[.,] (?:e\.displayText\(\) = )?DB::Exception: /;

/** The password is a connection's only secret. It is hidden alone and as the base64 text of a sign-in. */
export const secretOf = ({ user, password }: ClickhouseConnection): HiddenSecret =>
  hiddenSecret(password, [Buffer.from(`${user}:${password}`).toString('base64')]);

/** Context for reading an error of the server. */
export type ErrorContext = {
  /** Secret that the message must not repeat. */
  readonly secret: HiddenSecret;
  /** Statement that caused the error. */
  readonly sql?: string | undefined;
};

/** Reads an error about the server or a statement. Returns undefined for text that is not a ClickHouse error. */
export function clickhouseError(text: string, { secret, sql }: ErrorContext): ConnectorError | undefined {
  const match = exception.exec(text);
  if (!match) return undefined;
  const [matchText, number = ''] = match;
  const serverText = firstWords(text.slice(match.index + matchText.length), textLengthMax, secret);
  const isNoDatabase = Number(number) === unknownDatabase && sql === undefined;
  const code = isNoDatabase
    ? 'database-not-found'
    : (codesByNumber.get(Number(number)) ?? 'statement-failed');
  const position = sql === undefined ? undefined : placeInText(serverText, sql);
  // The secret is hidden first: cutting the text could leave a part of it.
  const message = plainText(wordsOf(secret.hide(serverText)), messageLengthMax);
  return new ConnectorError(code, message, {
    engineCode: number,
    origin: 'Execution',
    ...(position && { position }),
  });
}

/** Returns the message for users, without the details for the server's developers after it. */
function wordsOf(text: string): string {
  const ends = [text.search(/,? e\.what\(\) = /), text.indexOf('__exception__'), startOfVersion(text)];
  return text.slice(0, Math.min(...ends.map((at) => (at === -1 ? text.length : at))));
}

/** Returns the start of a `(version …)` that ends in the same line; -1 without one. */
function startOfVersion(text: string): number {
  let bracket = -1;
  for (let at = text.indexOf('(version '); at !== -1; ) {
    if (bracket < at) bracket = text.indexOf(')', at);
    if (bracket === -1) return -1;
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1 || bracket < lineEnd) return at;
    // No `(version …)` ends in this line. The search continues in the next one.
    at = text.indexOf('(version ', lineEnd);
  }
  return -1;
}

/** Locates an error in the statement. Syntax errors contain a position in bytes from 1; other errors name a word. */
function placeInText(message: string, sql: string): SqlPosition | undefined {
  const byte = /failed at position (\d+)/.exec(message)?.[1];
  if (byte !== undefined) {
    const before = Buffer.from(sql).subarray(0, Math.max(0, Number(byte) - 1));
    return positionAt(sql, before.toString().length);
  }
  const named =
    /(?:Unknown (?:table |function )?(?:expression |expression or function )?identifier|Missing columns:) [`'"]([^`'"]+)/.exec(
      message,
    ) ??
    /(?:Unknown function|Function with name|Unknown table function) [`'"]?(\w+)/.exec(message) ??
    /Table (\S+) (?:does not|doesn't) exist/.exec(message);
  const name = named?.[1]?.split('.').at(-1)?.replaceAll('`', '') ?? '';
  const at = name === '' || name.length > wordLengthMax ? -1 : sql.indexOf(name);
  return at === -1 ? undefined : positionAt(sql, at);
}

/** Converts a failure of the connection to the server into an error of the port. */
export const connectionError = (error: unknown, connection: ClickhouseConnection): ConnectorError =>
  httpFailure(error, connection, { protocol: 'ClickHouse', what: 'the server' });

/** Error for a server that answers but does not speak ClickHouse's HTTP interface. */
export const notClickhouse = (connection: ClickhouseConnection, cause?: unknown): ConnectorError =>
  foreignServer(connection, { protocol: 'ClickHouse', cause });
