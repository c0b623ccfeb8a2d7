import { ConnectorError, type ConnectorErrorCode, positionAt, type SqlPosition } from '../error.ts';
import { httpFailure } from '../http/failure.ts';
import { withoutJwt } from '../http/hidden-jwt.ts';
import { hideAll } from '../http/hidden-secret.ts';
import { property } from '../http/json/json-property.ts';
import { plainText } from '../http/plain-text.ts';
import { foreignServer } from '../network/greeting.ts';
import { secretsOf } from './credentials.ts';
import { type SnowflakeConnection, targetOf } from './settings.ts';

/** Codes by the service's numbers. All other numbers mean that the statement failed. */
const codesByNumber = new Map<string, ConnectorErrorCode>([
  ['000008', 'more-than-one-statement'],
  ['000604', 'cancelled'],
  ['000630', 'timed-out'],
  ['003001', 'permission-denied'],
]);
/** Numbers of the service's sign-in. */
const signInNumbers = /^39\d{4}$/;
const noPrivilege = '42501';

/** Codes by the status of an answer, for messages without another known number. */
const codesByStatus = new Map<number, ConnectorErrorCode>([
  [401, 'authentication-failed'],
  [403, 'permission-denied'],
  [408, 'timed-out'],
]);

const messageLengthMax = 2_000;

/** Text of a statement, and the number of lines before it in the sent text. */
export type SentText = { readonly sql: string; readonly linesBefore: number };

/** Reads the service's error; undefined for a body without a message. */
export function snowflakeError(
  status: number,
  body: unknown,
  connection: SnowflakeConnection,
  sent?: SentText,
): ConnectorError | undefined {
  const message = property(body, 'message');
  if (typeof message !== 'string' || message === '') return undefined;
  const number = property(body, 'code');
  const state = property(body, 'sqlState');
  const code = codeOf(status, number, state);
  const position = sent && placeInText(message, sent);
  return new ConnectorError(code, cleanWords(message, connection), {
    origin: 'Execution',
    ...(typeof number === 'string' && { engineCode: number.slice(0, 20) }),
    ...(position && { position }),
  });
}

function codeOf(status: number, number: unknown, state: unknown): ConnectorErrorCode {
  const code = typeof number === 'string' ? codesByNumber.get(number) : undefined;
  if (code) return code;
  if (state === noPrivilege) return 'permission-denied';
  const ofStatus = codesByStatus.get(status);
  if (ofStatus) return ofStatus;
  return typeof number === 'string' && signInNumbers.test(number)
    ? 'authentication-failed'
    : 'statement-failed';
}

/** Returns a message for users, without the secrets that an answer may repeat. */
const cleanWords = (text: string, connection: SnowflakeConnection): string =>
  // Secrets are hidden first. Otherwise a secret that contains a token-like text would be hidden only in part.
  plainText(withoutJwt(hideAll(text, secretsOf(connection))), messageLengthMax);

/** Reads the position in `… line 2 at position 7 …`: lines from 1, characters from 0. */
function placeInText(message: string, { sql, linesBefore }: SentText): SqlPosition | undefined {
  const [, lineText, positionText] = /\bline (\d{1,9}) at position (\d{1,9})\b/.exec(message) ?? [];
  const line = Number(lineText) - linesBefore;
  const lines = sql.split('\n');
  const lineOfError = lines[line - 1];
  if (lineOfError === undefined) return undefined;
  const before = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
  const characters = [...lineOfError].slice(0, Number(positionText)).join('');
  return Number(positionText) > [...lineOfError].length
    ? undefined
    : positionAt(sql, before + characters.length);
}

export const unreadableAnswer = (cause?: unknown): ConnectorError =>
  new ConnectorError('connection-lost', 'The server sent what is no answer of Snowflake.', { cause });

/** Error for a server that answers but is not Snowflake. */
export const notSnowflake = (connection: SnowflakeConnection, cause?: unknown): ConnectorError =>
  foreignServer(connection, { protocol: 'Snowflake', cause });

const untrusted = 'Where a proxy signs it, give the CA certificate.';

/** Converts a failure of the connection to the service into an error of the port. */
export const connectionError = (error: unknown, connection: SnowflakeConnection): ConnectorError =>
  httpFailure(error, targetOf(connection), { protocol: 'Snowflake', what: 'Snowflake', untrusted });
