import { type NamedStatement, runPipeline } from '@svc/pg-wire';
import type pg from 'pg';

/**
 * Executes a named statement on a connection of the pool. A coalesced statement waits for the next one of the turn.
 * `flush` sends all waiting statements in one write, even on an idle pool.
 */
export type Pipelines = (
  query: NamedStatement,
  when: 'ordinary' | 'coalesced' | 'flush',
) => Promise<pg.QueryResult>;

/**
 * Combines the statements of a request from one turn of the event loop into one write. While the pool is busy, a
 * coalesced statement is sent ahead of the next one of the same turn. Otherwise each is sent alone, at the end of
 * the turn at the latest.
 *
 * Only for short read-only statements: they share a transaction, and a failure fails all later statements of the
 * write.
 */
export function createPipelines(pool: pg.Pool): Pipelines {
  let waiting: NamedStatement[] = [];
  const leave = (isTogether: boolean): void => {
    const batch = waiting;
    waiting = [];
    // An idle server answers sooner in parallel; a busy one has less work with one pipeline. In parallel, the last
    // statement (a page) goes first. It takes longest, and the server answers the earlier ones meanwhile.
    const isBusy = pool.idleCount < pool.totalCount;
    if (isBusy || isTogether) runPipeline(pool, batch);
    else for (const query of batch.reverse()) runPipeline(pool, [query]);
  };
  return (query, when) => {
    if (when !== 'coalesced' && waiting.length === 0) return pool.query(query) as never;
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (result ? resolve(result) : reject(error));
      waiting.push(query);
      if (when !== 'coalesced') leave(when === 'flush');
      // By the end of the turn, all received input, including request bodies, has been read and has issued its
      // statements.
      else if (waiting.length === 1) setImmediate(leave, false);
    });
  };
}
