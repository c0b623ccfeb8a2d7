import { setTimeout as delay } from 'node:timers/promises';
import { plural } from '@svc/contract/wording';
import type { Deadline } from '../../deadline.ts';
import { ConnectorError } from '../../error.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../http/client.ts';
import { readErrorText } from '../../http/error-text.ts';
import { hiddenSecret } from '../../http/hidden-secret.ts';
import { retryAfterMs } from './retry-after.ts';

/** Maximum number of repeated requests of one step, for all its pages together. */
const retriesMax = 5;
/** Maximum total wait of one step before repeated requests. Its data source stays occupied meanwhile. */
const waitingMaxMs = 60_000;
/** Waits after lost connections, for which the API states no wait. They grow with each loss. */
const lostDelaysMs = [100, 500, 2_000];

/** Codes of a connection that closed before any answer. A refused connection is not retried. */
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

type RetryOptions = {
  readonly client: HttpClient;
  readonly deadline: Pick<Deadline, 'signal' | 'remainingMs'>;
  /** Called for each repeated request, with the wait before it in milliseconds. */
  readonly noteRetry?: ((waitedMs: number) => void) | undefined;
};

/**
 * Sends the requests of one step, and repeats a GET if that is safe. It is safe without an answer, or after an answer
 * that requests a later retry (429 or 503 with `Retry-After`). A request is not repeated after its answer has begun.
 */
export type RetryingGet = {
  /** Returns the last answer with any status. Rejects in the same way as the client. */
  readonly get: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Returns a sentence about the repeated requests; empty without any. */
  readonly note: () => string;
};

export function retryingGet({ client, deadline, noteRetry }: RetryOptions): RetryingGet {
  let count = 0;
  let waitedMs = 0;
  let lost = 0;
  const mayWait = (waitMs: number | undefined): waitMs is number =>
    waitMs !== undefined &&
    count < retriesMax &&
    waitedMs + waitMs <= waitingMaxMs &&
    waitMs < deadline.remainingMs();
  const wait = async (waitMs: number): Promise<void> => {
    await delay(waitMs, undefined, { signal: deadline.signal });
    count++;
    waitedMs += waitMs;
    noteRetry?.(waitMs);
  };
  /** Returns undefined for a request without an answer that may be repeated. */
  const attempt = async (request: HttpRequest): Promise<HttpAnswer | undefined> => {
    try {
      return await client.get(request);
    } catch (error) {
      const waitMs = isLost(error) && !deadline.signal.aborted ? lostDelaysMs[lost++] : undefined;
      if (!mayWait(waitMs)) throw error;
      await wait(waitMs);
      return undefined;
    }
  };
  return {
    get: async (request) => {
      for (;;) {
        const answer = await attempt(request);
        if (!answer) continue;
        const waitMs = retryAfterMs(answer);
        if (!mayWait(waitMs)) return answer;
        // Reads the answer to its end, so that the connection can serve the next request.
        await readErrorText(answer, hiddenSecret(''));
        await wait(waitMs);
      }
    },
    note: () =>
      count === 0
        ? ''
        : ` The step sent ${count === 1 ? 'a request' : plural(count, 'request')} again and waited ${Math.ceil(waitedMs / 1_000)} s.`,
  };
}

const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof ConnectorError) &&
  'code' in error &&
  lostCodes.has(String(error.code));
