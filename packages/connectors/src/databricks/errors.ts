import { ConnectorError, type ConnectorErrorCode, positionAt, type SqlPosition } from '../error.ts';
import { foreignServer } from '../greeting.ts';
import { httpFailure } from '../http/failure.ts';
import { hidden, hideAll } from '../http/hidden-secret.ts';
import { property } from '../http/json-property.ts';
import { withoutJwt } from '../http/jwt-words.ts';
import { plainWords } from '../http/plain-words.ts';
import { type DatabricksConnection, targetOf } from './settings.ts';

/** By the codes of the service; every other one is the statement's own. */
const codesByName = new Map<string, ConnectorErrorCode>([
  ['CANCELLED', 'cancelled'],
  ['DEADLINE_EXCEEDED', 'timed-out'],
  ['UNAUTHENTICATED', 'authentication-failed'],
  ['PERMISSION_DENIED', 'permission-denied'],
]);
/** By the class that a message begins with. */
const codesByClass = new Map<string, ConnectorErrorCode>([
  ['INSUFFICIENT_PERMISSIONS', 'permission-denied'],
  ['PERMISSION_DENIED', 'permission-denied'],
  ['UNAUTHORIZED_ACCESS', 'permission-denied'],
  ['STATEMENT_TIMEOUT', 'timed-out'],
  ['OPERATION_CANCELED', 'cancelled'],
]);
const noPrivilege = '42501';

/** Of what the service says by the status of its answer, where its words have no code of their own. */
const codesByStatus = new Map<number, ConnectorErrorCode>([
  [401, 'authentication-failed'],
  [403, 'permission-denied'],
  [404, 'connection-failed'],
]);
/** A token that is not the workspace's is told with the status of what is not permitted. */
const wrongToken = /\b(?:invalid access token|token (?:is|has) (?:expired|been revoked)|invalid token)\b/i;
/** `Inline byte limit exceeded. Statements executed with disposition=INLINE …`. */
const inlineLimit = /\binline byte limit exceeded\b/i;
/** The service's own limit of a result that it sends in its answer. */
export const inlineBytesMax = 25 * 1_024 * 1_024;

const messageLengthMax = 2_000;
const engineCodeLengthMax = 80;

/** A statement's own text, and how many lines stand before it in what was sent. */
export type SentText = { readonly sql: string; readonly linesBefore: number };

/** What went wrong, as the service tells it: of a request with its status, of a statement without. */
export type ServiceFailure = {
  readonly status?: number;
  /** An object with a `message`. */
  readonly body: unknown;
  readonly sqlState?: unknown;
  readonly sent?: SentText | undefined;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
};

/** What the service says in its own words; undefined where the body holds none. */
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
  const known =
    codesByName.get(String(property(body, 'error_code'))) ??
    codesByClass.get(errorClass.split('.')[0] ?? '') ??
    (status === undefined ? undefined : codesByStatus.get(status));
  if (known) return known;
  const state = sqlState ?? /\bSQLSTATE: (\w{5})\b/.exec(message)?.[1];
  return state === noPrivilege ? 'permission-denied' : 'statement-failed';
}

/** Personal tokens begin with `dapi`, secrets of service principals with `dose`. */
const personalToken = /\b(?:dapi|dose)[0-9a-f]{16,}(?:-\d+)?\b/g;

/** Words for people, without the secrets that an answer may repeat. */
export function cleanWords(text: string, secrets: readonly string[]): string {
  // A secret goes first: it may hold what looks like a token, and would stay in part.
  const clean = withoutJwt(hideAll(text, secrets)).replaceAll(personalToken, hidden);
  // The statement, with a line under it that shows the place.
  const end = clean.search(/== SQL\b/);
  const words = end === -1 ? clean : clean.slice(0, end);
  return plainWords(words, messageLengthMax);
}

/**
 * `(line 2, pos 7)` or `line 2 pos 7` of a statement that does not compile; `(line 2, position 8)` of one that fails
 * later. Lines count from 1; characters from 0, or from 1 where the word is whole.
 */
function placeInText(message: string, { sql, linesBefore }: SentText): SqlPosition | undefined {
  const [, lineText, word, number] = /\bline (\d{1,9}),? (pos|position) (\d{1,9})\b/.exec(message) ?? [];
  const line = Number(lineText) - linesBefore;
  const position = Number(number) - (word === 'position' ? 1 : 0);
  const lines = sql.split('\n');
  const own = lines[line - 1];
  if (own === undefined) return undefined;
  const before = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
  const characters = [...own].slice(0, position).join('');
  return position < 0 || position > [...own].length ? undefined : positionAt(sql, before + characters.length);
}

export const unreadableAnswer = (cause?: unknown): ConnectorError =>
  new ConnectorError('connection-lost', 'The server sent what is no answer of Databricks.', { cause });

/** A server that answers, and is none of Databricks'. */
export const notDatabricks = (connection: DatabricksConnection, cause?: unknown): ConnectorError =>
  foreignServer(connection, { protocol: 'Databricks', cause });

const untrusted = 'Where a proxy signs it, give the CA certificate.';

/** What went wrong between us and the service, as an error of the port. */
export const connectionError = (error: unknown, connection: DatabricksConnection): ConnectorError =>
  httpFailure(error, targetOf(connection), { protocol: 'Databricks', what: 'Databricks', untrusted });
