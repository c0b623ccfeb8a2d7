import { ConnectorError, type ConnectorErrorCode, positionAt, type SqlPosition } from '../error.ts';
import type { HttpTarget } from '../http/client.ts';
import { httpFailure } from '../http/failure.ts';
import { hideAll } from '../http/hidden-secret.ts';
import { property } from '../http/json/json-property.ts';

/** Codes by the service's `reason`. All other reasons mean that the statement failed. */
const codesByReason: Readonly<Record<string, ConnectorErrorCode>> = {
  authError: 'authentication-failed',
  accessDenied: 'permission-denied',
  bytesBilledLimitExceeded: 'too-many-bytes',
  responseTooLarge: 'too-many-bytes',
  stopped: 'cancelled',
  timeout: 'timed-out',
};

const messageLengthMax = 2_000;
const reasonForm = /^[A-Za-z]{1,64}$/;

/** Returns text of the service without the secrets that it repeats. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  hideAll(text, secrets).slice(0, messageLengthMax);

/**
 * Reads the `error` of an answer or an `ErrorProto` of a job. Returns undefined for any other value.
 *
 * @param secrets  texts that the message must not repeat
 */
export function bigqueryError(
  error: unknown,
  sql: string,
  secrets: readonly string[] = [],
): ConnectorError | undefined {
  const errors = property(error, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const reason = property(first, 'reason') ?? property(error, 'reason');
  const message = property(error, 'message') ?? property(first, 'message');
  if (typeof message !== 'string' || typeof reason !== 'string' || !reasonForm.test(reason)) return undefined;
  const position = placeInText(message, sql);
  const codeOfReason = Object.hasOwn(codesByReason, reason) ? codesByReason[reason] : undefined;
  const code = codeOfReason ?? 'statement-failed';
  return new ConnectorError(code, withoutSecrets(message, secrets), {
    engineCode: reason,
    origin: 'Execution',
    ...(position && { position }),
  });
}

export const unreadableAnswer = (): ConnectorError =>
  new ConnectorError('connection-lost', 'The server sent what is no answer of BigQuery.');

const redirects = new Set([301, 302, 303, 307, 308]);

/** Error for an answer with another status than 200 and without an `error` object of the service. */
export function refusedBy(status: number, { host }: { readonly host: string }): ConnectorError {
  const details = { engineCode: `HTTP ${status}` };
  if (redirects.has(status))
    return new ConnectorError(
      'connection-failed',
      `${host} answers with a redirect, which is not followed.`,
      details,
    );
  if (status === 401)
    return new ConnectorError('authentication-failed', 'BigQuery refuses the access token.', details);
  if (status === 403)
    return new ConnectorError('permission-denied', 'BigQuery denies the read.', {
      ...details,
      origin: 'Service',
    });
  return new ConnectorError('connection-failed', `${host} answers with status ${status}.`, details);
}

const untrusted = 'Where a proxy opens TLS connections, give its CA certificate.';

/** Converts a failure of the connection to one of the hosts into an error of the port. */
export const connectionError = (error: unknown, target: HttpTarget): ConnectorError =>
  httpFailure(error, target, { protocol: 'HTTP', what: target.host, untrusted });

const tabWidth = 8;

/** Reads `… at [line:column]`, both from 1. A column is a code point; a tab advances to the next multiple of eight. */
function placeInText(message: string, sql: string): SqlPosition | undefined {
  const [, line, column] = /\bat \[(\d{1,9}):(\d{1,9})\]/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  let at = 0;
  const lineEnd = /\r\n|\r|\n/g;
  for (let remaining = Number(line) - 1; remaining > 0; remaining--) {
    if (!lineEnd.test(sql)) return undefined;
    at = lineEnd.lastIndex;
  }
  for (let columnHere = 1; columnHere < Number(column); ) {
    const character = sql.codePointAt(at);
    if (character === undefined) return undefined;
    columnHere = character === 9 ? columnHere + tabWidth - ((columnHere - 1) % tabWidth) : columnHere + 1;
    at += character > 0xffff ? 2 : 1;
  }
  return positionAt(sql, at);
}
