import { OutboundError } from '../../platform/outbound/index.ts';
import type { LlmFailure } from './port.ts';

/** A failed attempt, safe to return and to log: codes and numbers, no text of the provider. */
export type AttemptFailure = {
  readonly failure: LlmFailure;
  /** Null if no answer arrived. */
  readonly status: number | null;
  /** True: the request certainly did not reach the provider. */
  readonly isUnsent?: boolean;
  readonly retryAfterSeconds?: number;
};

const causesMax = 8;

/** Returns an error and its causes, outermost first. Client libraries wrap the errors of a connection. */
function chainOf(error: unknown): readonly object[] {
  const chain: object[] = [];
  let next: unknown = error;
  while (typeof next === 'object' && next !== null && chain.length < causesMax) {
    chain.push(next);
    next = 'cause' in next ? next.cause : undefined;
  }
  return chain;
}

const memberOf = (link: object, name: string): unknown => Reflect.get(link, name);

function statusOf(chain: readonly object[]): number | null {
  for (const link of chain) {
    const status = memberOf(link, 'statusCode');
    if (typeof status === 'number') return status;
  }
  return null;
}

/** Parses `Retry-After` in seconds, as a number or a date. Undefined if it is neither. */
export function retryAfterOf(text: unknown, now: Date): number | undefined {
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,6}$/.test(text.trim())) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}

function retryAfterIn(chain: readonly object[]): number | undefined {
  for (const link of chain) {
    const headers = memberOf(link, 'responseHeaders');
    if (typeof headers === 'object' && headers !== null)
      return retryAfterOf(memberOf(headers, 'retry-after'), new Date());
  }
  return undefined;
}

/** Maps an HTTP status to a failure. */
function failureOfStatus(status: number): LlmFailure {
  if (status === 401 || status === 403) return 'Unauthorised';
  if (status === 404) return 'UnknownModel';
  if (status === 429) return 'RateLimited';
  if (status === 408 || status >= 500) return 'Overloaded';
  return 'RequestRefused';
}

function failureOfConnection(error: OutboundError): LlmFailure {
  switch (error.code) {
    case 'DestinationRefused':
    case 'AddressRefused':
      return 'DestinationRefused';
    case 'TimedOut':
      return 'TimedOut';
    case 'Cancelled':
      return 'Cancelled';
    default:
      return 'Unreachable';
  }
}

const tooLong = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
/** Codes of a connection that the other side or the network ended: codes of undici and of the system. */
const lost = /^(UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|ECONNRESET|EPIPE|HPE_|ETIMEDOUT)/;

/** Messages of the client libraries for an incomplete answer. */
const endings = /^terminated$|stream ended without a finish/;

const messages = (chain: readonly object[]) =>
  chain.map((link) => memberOf(link, 'message')).filter((text): text is string => typeof text === 'string');

const codesOf = (chain: readonly object[]) =>
  chain.map((link) => memberOf(link, 'code')).filter((code): code is string => typeof code === 'string');

/**
 * Maps an error to the failure of an attempt.
 *
 * @param isAnswered  True if a success status arrived before the error.
 */
export function attemptFailureOf(error: unknown, isAnswered: boolean): AttemptFailure {
  const chain = chainOf(error);
  const codes = codesOf(chain);
  if (codes.includes(tooLong)) return { failure: 'BadAnswer', status: null };
  const outbound = chain.find((link) => link instanceof OutboundError);
  if (outbound) return { failure: failureOfConnection(outbound), status: null, isUnsent: true };
  if (messages(chain).includes('unexpected redirect')) return { failure: 'DestinationRefused', status: null };
  const isCut = messages(chain).some((text) => endings.test(text)) || codes.some((code) => lost.test(code));
  if (isAnswered && isCut) return { failure: 'CutShort', status: null };
  const status = statusOf(chain);
  // An error of a broken stream carries the success status of its response.
  if (isAnswered) return { failure: 'BadAnswer', status };
  if (status === null || status < 300)
    return { failure: status === null ? 'Unreachable' : 'BadAnswer', status };
  const retryAfterSeconds = retryAfterIn(chain);
  return {
    failure: failureOfStatus(status),
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
