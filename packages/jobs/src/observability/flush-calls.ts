import { uuidV7 } from '../db/uuid.ts';
import type { JobsLogger } from '../engine/logger.ts';
import type { CallBatch } from '../sql/endpoints/call-batch.ts';
import {
  addEndpointStatistics,
  copyEndpointCalls,
  insertEndpointCall,
  keepEndpointSources,
  type StoredSource,
} from '../sql/endpoints/endpoint-calls.ts';
import type { Sql } from '../sql/statement.ts';
import type { CallBuffer } from './call-buffer.ts';
import type { EndpointCounters, EndpointIncrements } from './counters.ts';

/** What PostgreSQL said; its words are left out, since they may quote what was captured. */
function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'none';
}

/** Bad data or a constraint: it is the row, not the database, that is the matter. */
const isOfTheRow = (sqlState: string): boolean => /^2[23]/.test(sqlState);

/** Stores what was counted and the rows that wait, or whole batches of rows alone. Default all. */
export type CallFlush = (part?: 'All' | 'Batches') => Promise<void>;

/**
 * Makes the function that stores what was counted and what waits. It rejects when the database does not answer; what
 * it had taken is kept for the next time. Increments carry an id until they are known to be stored, so that an answer
 * that was lost on its way does not count them twice.
 */
export function createCallFlush(deps: {
  readonly sql: Sql;
  readonly buffer: CallBuffer;
  /** Of all endpoints that are observed; more may come. */
  readonly sources: readonly StoredSource[];
  readonly counters: EndpointCounters;
  readonly application: string | null;
  readonly batchSize: number;
  /** Rows that one transaction stores at most. */
  readonly rowsAtOnce: number;
  readonly logger: JobsLogger;
}): CallFlush {
  const { sql, buffer, counters, logger } = deps;
  let pending: { readonly id: string; readonly increments: EndpointIncrements } | null = null;
  let toldDropped = 0;
  let storedSourceCount = 0;

  /** Stores the sources of the rows that are to come. */
  const storeSources = async () => {
    const count = deps.sources.length;
    if (count === storedSourceCount) return;
    await keepEndpointSources(sql, deps.sources.slice(storedSourceCount, count));
    storedSourceCount = count;
  };

  const storePending = async () => {
    if (pending === null) return;
    await addEndpointStatistics(sql, pending.id, deps.application, pending.increments);
    pending = null;
  };

  const storeIncrements = async () => {
    // What an earlier flush could not store goes first, by itself: its id may be known to the database already.
    await storePending();
    const increments = counters.take();
    if (increments) pending = { id: uuidV7(), increments };
    // Once: what is counted meanwhile is the next flush's, or under load there would be no end of it.
    await storePending();
  };

  const storeSingly = async (batches: readonly CallBatch[]) => {
    for (const call of batches.flatMap((batch) => [...batch.decoded()])) {
      try {
        await insertEndpointCall(sql, call);
      } catch (error) {
        const sqlState = sqlStateOf(error);
        if (!isOfTheRow(sqlState)) throw error;
        // One row that cannot be stored loses only itself.
        logger.warn({ callId: call.id, sqlState }, 'a call could not be stored');
      }
    }
  };

  const storeRows = async (batches: readonly CallBatch[]): Promise<void> => {
    try {
      if (await copyEndpointCalls(sql, batches)) return;
    } catch (error) {
      if (!isOfTheRow(sqlStateOf(error))) throw error;
      // It is a row of one of them: the others are stored as they are.
      if (batches.length > 1) {
        for (const batch of batches) await storeRows([batch]);
        return;
      }
    }
    await storeSingly(batches);
  };

  const tellDropped = () => {
    const dropped = buffer.dropped();
    if (dropped === toldDropped) return;
    logger.warn({ count: dropped - toldDropped }, 'rows of calls were dropped, since too many waited');
    toldDropped = dropped;
  };

  const flush = async (part: 'All' | 'Batches') => {
    try {
      if (part === 'All') await storeIncrements();
      // As many as are there now: under constant load there would be no end of it. An open batch waits until it is
      // full or everything is stored.
      const leftMin = part === 'All' ? 1 : deps.batchSize;
      if (buffer.size() >= leftMin) await storeSources();
      for (let left = buffer.size(); left >= leftMin; ) {
        const batches = buffer.take(deps.rowsAtOnce);
        if (batches.length === 0) break;
        left -= batches.reduce((sum, { count }) => sum + count, 0);
        try {
          await storeRows(batches);
        } catch (error) {
          // Those of them that were stored are known by their ids the next time.
          buffer.putBack(batches);
          throw error;
        }
        buffer.forget();
      }
    } finally {
      tellDropped();
    }
  };

  // One at a time: what one of them has taken is no other's.
  let last: Promise<void> = Promise.resolve();
  return (part = 'All') => {
    const next = () => flush(part);
    last = last.then(next, next);
    return last;
  };
}
