import { type NamedStatement, runPipeline } from '@svc/pg-wire';
import type pg from 'pg';

/**
 * Runs a named statement on a connection of the pool. One that is coalesced waits for the next one of the turn; with
 * `flush` those that wait go in one write with it also on a pool that has nothing else to do.
 */
export type Pipelines = (
  query: NamedStatement,
  when: 'ordinary' | 'coalesced' | 'flush',
) => Promise<pg.QueryResult>;

/**
 * What a request asks in one turn of the event loop can go to the database in one write: while others are at work on the
 * pool, a statement that is coalesced goes with the next one of the same turn, ahead of it. Else each goes alone,
 * at the end of the turn at the latest. For short statements that only read: they share a transaction, and when one
 * fails, those behind it fail with it.
 */
export function createPipelines(pool: pg.Pool): Pipelines {
  let waiting: NamedStatement[] = [];
  const leave = (isTogether: boolean): void => {
    const asked = waiting;
    waiting = [];
    // A server that has nothing else to do answers sooner side by side; a busy one has less to do for one pipeline.
    // Side by side the one that came last, a page, goes first: it takes longest, and what waited for it is answered
    // meanwhile.
    const isBusy = pool.idleCount < pool.totalCount;
    if (isBusy || isTogether) runPipeline(pool, asked);
    else for (const query of asked.reverse()) runPipeline(pool, [query]);
  };
  return (query, when) => {
    if (when !== 'coalesced' && waiting.length === 0) return pool.query(query) as never;
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (result ? resolve(result) : reject(error));
      waiting.push(query);
      if (when !== 'coalesced') leave(when === 'flush');
      // At the end of the turn whatever has come in was read, bodies of requests too, and has asked what it will ask.
      else if (waiting.length === 1) setImmediate(leave, false);
    });
  };
}
