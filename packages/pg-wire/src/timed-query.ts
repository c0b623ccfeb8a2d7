import type pg from 'pg';

/** A query whose answer is waited for so long and no longer. */
export type TimedQuery = pg.QueryConfig & { readonly query_timeout: number };

/**
 * Bounds the time for which the answer to one query is waited for; then it fails, and its connection is given up. `pg`
 * reads `query_timeout` of a single query, though its declared types list it for a client only.
 */
export const timedQuery = (query: pg.QueryConfig, timeoutMs: number): TimedQuery => ({
  ...query,
  query_timeout: timeoutMs,
});
