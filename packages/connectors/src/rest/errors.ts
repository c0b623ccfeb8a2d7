import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import type { HttpAnswer } from '../http/client.ts';
import { readErrorText } from '../http/error-text.ts';
import { httpFailure } from '../http/failure.ts';
import type { HiddenSecret } from '../http/hidden-secret.ts';
import { plainText } from '../http/plain-text.ts';
import { secretOf } from './hidden-secrets.ts';
import { retryAfterMs } from './request/retry-after.ts';
import { type RestConnection, targetOf } from './settings.ts';

const messageLengthMax = 500;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Converts an error answer of the API into an error of the port.
 *
 * @param retryNote  sentence about earlier actions, to be appended; empty for none
 */
export async function refusedBy(
  answer: HttpAnswer,
  connection: RestConnection,
  retryNote = '',
): Promise<ConnectorError> {
  const { host, port } = targetOf(connection);
  const details = { engineCode: `HTTP ${answer.status}`, origin: 'Execution' } as const;
  if (redirects.has(answer.status)) {
    const message = `${host}:${port} answers with a redirect, which is not followed. Check the base URL and the path.`;
    return new ConnectorError('connection-failed', message, { ...details, origin: 'Service' });
  }
  const secret = secretOf(connection);
  const reason = wordsOf((await readErrorText(answer, secret)).text, secret);
  const suffix = reason === '' ? '' : `: ${reason}`;
  if (answer.status === 401)
    return new ConnectorError(
      'authentication-failed',
      `The API refuses the sign-in${suffix || '.'}`,
      details,
    );
  if (answer.status === 403)
    return new ConnectorError('permission-denied', `The API denies the read${suffix || '.'}`, details);
  const hint = waitHint(answer);
  const message = `The API answers with status ${answer.status}${suffix || '.'}`;
  const note = [retryNote.trim(), hint].filter(Boolean).join(' ');
  return new ConnectorError('statement-failed', withSentence(message, retryNote), {
    ...details,
    ...(note !== '' && { note }),
    ...(hint !== undefined && { hint }),
  });
}

const withSentence = (message: string, sentence: string): string =>
  sentence === '' || /[.!?]$/.test(message) ? `${message}${sentence}` : `${message}.${sentence}`;

function waitHint(answer: HttpAnswer): string | undefined {
  const waitMs = retryAfterMs(answer);
  const why = answer.status === 429 ? 'The API limits how often it is asked' : 'The API is busy';
  if (waitMs !== undefined) {
    const seconds = Math.ceil(waitMs / 1_000);
    return `${why}: wait ${plural(seconds, 'second')}.`;
  }
  return answer.status === 429 ? `${why}: wait, or ask for fewer pages.` : undefined;
}

/** Members that APIs use for messages, the most informative first. */
const wordMembers = [
  'detail',
  'error_description',
  'message',
  'title',
  'error',
  'errors',
  'reason',
  'description',
];

/** Returns the message of an answer, without secrets that it repeats. A page of HTML has none. */
function wordsOf(text: string, { hide }: HiddenSecret): string {
  let message: string | undefined;
  try {
    message = wordsIn(JSON.parse(text), 0);
  } catch {
    message = /^\s*</.test(text) ? undefined : text;
  }
  return plainText(hide(message ?? ''), messageLengthMax);
}

const depthMax = 4;

function wordsIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || depth > depthMax) return undefined;
  if (Array.isArray(value)) return wordsIn(value[0], depth + 1);
  for (const name of wordMembers) {
    const words = Object.hasOwn(value, name) ? wordsIn(value[name as never], depth + 1) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}

const untrusted = 'Give the CA certificate that signed it.';

/** Converts a failure of the connection to the API into an error of the port. */
export const connectionError = (error: unknown, connection: RestConnection): ConnectorError =>
  httpFailure(error, targetOf(connection), { protocol: 'HTTP', what: 'the API', untrusted });
