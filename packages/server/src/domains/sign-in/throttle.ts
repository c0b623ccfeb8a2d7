import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { rateLimits } from '@svc/contract';
import type pg from 'pg';
import { Refusal } from '../../platform/http/index.ts';
import { type AnswerHeaders, addressKey, createRateLimit } from '../../platform/rate-limit/index.ts';
import { delayOf } from './delay.ts';

/** Limits the rate of guesses. */
export type SignInThrottle = {
  /** Counts an attempt. Throws 429 with `Retry-After` from the eleventh attempt of one client within a minute. */
  readonly admit: (clientAddress: string, answer: AnswerHeaders) => Promise<void>;
  /** Waits when this account had many recent failures. It delays every client, but never locks the account. */
  readonly slowDown: (userName: string, signal: AbortSignal) => Promise<void>;
  readonly noteFailure: (userName: string) => Promise<void>;
  readonly noteSuccess: (userName: string) => Promise<void>;
};

const failureWindowSeconds = 900;
/** Maximum number of remembered accounts. The counters serve accounts under attack now. */
const rememberedMax = 10_000;

export function createSignInThrottle(pool: pg.Pool): SignInThrottle {
  const attempts = createRateLimit(pool, {
    ...rateLimits.signIn,
    detail: 'Too many attempts to sign in from this address. Wait before the next one.',
  });
  const failures = createRateLimit(pool, {
    name: 'sign-in-account',
    quota: Number.MAX_SAFE_INTEGER,
    windowSeconds: failureWindowSeconds,
    detail: 'Too many attempts to sign in to this account.',
  });
  const failed = new Map<string, { count: number; until: number }>();

  return {
    admit: (clientAddress, answer) => attempts.consume(addressKey(clientAddress), answer),
    slowDown: async (userName, signal) => {
      const userFailures = failed.get(keyOf(userName));
      const delayMs =
        userFailures && userFailures.until > performance.now() ? delayOf(userFailures.count) : 0;
      if (delayMs > 0) await waitFor(delayMs, signal);
    },
    noteFailure: async (userName) => {
      const key = keyOf(userName);
      const count = await failures.count(key);
      failed.delete(key);
      failed.set(key, { count, until: performance.now() + failureWindowSeconds * 1_000 });
      const oldest = failed.keys().next();
      if (failed.size > rememberedMax && !oldest.done) failed.delete(oldest.value);
    },
    noteSuccess: async (userName) => {
      if (failed.delete(keyOf(userName))) await failures.forget(keyOf(userName));
    },
  };
}

/** Returns a digest: the text in the name field may be a password or a key, which must not be stored. */
const keyOf = (userName: string): string =>
  createHash('sha256').update(userName.toLowerCase()).digest('base64url');

async function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(delayMs, undefined, { signal });
  } catch {
    // Only a disconnected client ends the wait early.
    throw new Refusal('client-gone', { detail: 'The client did not wait for the answer.' });
  }
}
