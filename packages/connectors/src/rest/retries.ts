import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../http/client.ts';
import { readErrorText } from '../http/error-text.ts';
import { hiddenSecret } from '../http/hidden-secret.ts';
import { retryAfterMs } from './retry-after.ts';

/** Requests that one step sends again at most, those of all its pages together. */
const retriesMax = 5;
/** Waiting that one step does at most before requests are sent again: its data source is held meanwhile. */
const waitingMaxMs = 60_000;
/** Waiting after a connection that was lost, whose API does not say how long: so long at first, then longer. */
const lostDelaysMs = [100, 500, 2_000];

/** Codes of a connection that was closed before anything was answered. A refused one is not tried again. */
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

type RetryOptions = {
  readonly client: HttpClient;
  readonly deadline: Pick<Deadline, 'signal' | 'remainingMs'>;
  /** Told of each request that is sent again, with how long it waited before. */
  readonly noteRetry?: ((waitedMs: number) => void) | undefined;
};

/**
 * Sends the requests of one step, and those again that safely may be: a GET that was not answered, or that the API itself
 * says to send again later (429 or 503 with `Retry-After`). An answer that has begun is never asked for again.
 */
export type RetryingGet = {
  /** The last answer, whatever its status. Rejects as the client does. */
  readonly get: (request: HttpRequest) => Promise<HttpAnswer>;
  /** A sentence about what was sent again; empty where nothing was. */
  readonly told: () => string;
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
  /** Undefined where it was not answered and may be sent again. */
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
        // Read to its end, so that the connection serves the next request.
        await readErrorText(answer, hiddenSecret(''));
        await wait(waitMs);
      }
    },
    told: () =>
      count === 0
        ? ''
        : ` The step sent ${count === 1 ? 'a request' : `${count} requests`} again and waited ${Math.ceil(waitedMs / 1_000)} s.`,
  };
}

const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof ConnectorError) &&
  'code' in error &&
  lostCodes.has(String(error.code));
