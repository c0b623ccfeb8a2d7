import type { RateLimitPolicy } from '@svc/contract';
import ipaddr from 'ipaddr.js';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../http/refusals/refusal.ts';
import { type AnswerHeaders, setRateLimitHeaders } from './headers.ts';

export { type AnswerHeaders, setRateLimitHeaders } from './headers.ts';

/** A limit of actions per time window and key, counted over all replicas. */
export type RateLimit = {
  /**
   * Counts one action and reports the remaining quota in the response headers. Throws a 429 refusal with
   * `Retry-After` if the key has used its quota.
   */
  readonly consume: (key: string, answer: AnswerHeaders) => Promise<void>;
  /** Counts one action and returns the number in the window, without refusing. */
  readonly count: (key: string) => Promise<number>;
  /** Resets the counter of the key. */
  readonly forget: (key: string) => Promise<void>;
};

export type RateLimitOptions = Pick<RateLimitPolicy, 'name' | 'quota' | 'windowSeconds'> & {
  /** Detail of the refusal. */
  readonly detail: string;
};

/** Creates a limit on PostgreSQL. A key without remaining quota is refused from memory, without a statement. */
export function createRateLimit(pool: pg.Pool, options: RateLimitOptions): RateLimit {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'svc',
    tableName: 'rate_limits',
    tableCreated: true,
    // The service's own upkeep sweeps expired counters and stops with the service.
    clearExpiredByTimeout: false,
    keyPrefix: options.name,
    points: options.quota,
    duration: options.windowSeconds,
    inMemoryBlockOnConsumed: options.quota,
  });
  return {
    consume: async (key, answer) => {
      const tell = ({ remainingPoints, msBeforeNext }: RateLimiterRes) =>
        setRateLimitHeaders(answer, options, {
          remaining: remainingPoints,
          resetSeconds: msBeforeNext / 1_000,
        });
      try {
        tell(await limiter.consume(key));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        tell(error);
        throw tooManyRequests(options.detail, error.msBeforeNext / 1_000);
      }
    },
    count: async (key) => (await limiter.penalty(key)).consumedPoints,
    forget: async (key) => {
      await limiter.delete(key);
    },
  };
}

const ipv6PrefixBytes = 8;

/**
 * Returns the rate-limit key of an address: the address itself, and for IPv6 its /64, because one client commonly
 * has the full /64.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, ipv6PrefixBytes)).toString('hex')}/64`;
}

/** Maximum clock difference of replicas. */
const keptAfterExpiryMs = 60_000;
/** Expiry range of one deletion step. Small steps keep row locks short for returning addresses. */
const stepMs = 1_000;

/**
 * Removes expired counters. With a call every few minutes, the size of the table is bounded by the addresses of
 * these minutes. Works in small steps and skips counters in use.
 *
 * @param nowMs Current time, in milliseconds since 1970. Counters are removed one minute after their expiry.
 * @returns the number of removed counters.
 */
export async function sweepRateLimits(pool: pg.Pool, nowMs = Date.now()): Promise<number> {
  const endMs = nowMs - keptAfterExpiryMs;
  let removed = 0;
  for (let fromMs = 0; ; ) {
    const { rows } = await pool.query<{ first: number | null }>(
      'select min(expire) as first from svc.rate_limits where expire >= $1 and expire < $2',
      [fromMs, endMs],
    );
    const first = rows[0]?.first ?? null;
    if (first === null) return removed;
    fromMs = Math.min(first + stepMs, endMs);
    const { rowCount } = await pool.query(
      `delete from svc.rate_limits where ctid = any(array(
         select ctid from svc.rate_limits where expire >= $1 and expire < $2 for update skip locked))`,
      [first, fromMs],
    );
    removed += rowCount ?? 0;
  }
}
