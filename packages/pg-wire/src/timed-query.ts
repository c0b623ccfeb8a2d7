import type pg from 'pg';

/** Query with a deadline. */
export type TimedQuery = pg.QueryConfig & { readonly query_timeout: number };

/**
 * Returns a query with a deadline in ms. When it passes, the query fails and its connection is destroyed. `pg` reads
 * `query_timeout` of a single query, although its declared types list it only for a client.
 */
export const timedQuery = (query: pg.QueryConfig, timeoutMs: number): TimedQuery => ({
  ...query,
  query_timeout: timeoutMs,
});
