import type { RateLimitPolicy } from '@svc/contract';
import ipaddr from 'ipaddr.js';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../http/refusals/refusal.ts';
import { type AnswerHeaders, setRateLimitHeaders } from './headers.ts';

export { type AnswerHeaders, setRateLimitHeaders } from './headers.ts';

/** A limit: so many acts in so many seconds for each key, counted over all replicas. */
export type RateLimit = {
  /**
   * Counts one act and tells in the headers of its answer what is left. Throws a 429 refusal with `Retry-After` when the
   * key has used its share.
   */
  readonly consume: (key: string, answer: AnswerHeaders) => Promise<void>;
  /** Counts one act and tells how many there were in the window, without refusing. */
  readonly count: (key: string) => Promise<number>;
  /** Forgets what the key has used. */
  readonly forget: (key: string) => Promise<void>;
};

export type RateLimitOptions = Pick<RateLimitPolicy, 'name' | 'quota' | 'windowSeconds'> & {
  /** What the refusal says. */
  readonly detail: string;
};

/** Makes a limit on PostgreSQL. A key that is out of points is refused from memory, without a statement. */
export function createRateLimit(pool: pg.Pool, options: RateLimitOptions): RateLimit {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'svc',
    tableName: 'rate_limits',
    tableCreated: true,
    // Expired counters are swept by the service's own upkeep, which stops with the service.
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

/** What an address counts as: itself, and for IPv6 its /64, since one client commonly has all of that. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, ipv6PrefixBytes)).toString('hex')}/64`;
}

/** Clocks of replicas may differ by so much. */
const keptAfterExpiryMs = 60_000;
/** Counters that expired within so long go in one step, so that nobody who returns waits for the whole sweep. */
const stepMs = 1_000;

/**
 * Removes counters that have expired. Called every few minutes, it bounds the table by the addresses that were heard
 * within these minutes, whatever number they are of. It goes by small steps, and passes over counters in use.
 *
 * @param nowMs  the time that counters have expired by, in milliseconds since 1970.
 * @returns how many were removed.
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
