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

/** Returns the SQLSTATE of an error. The message is omitted, because it may contain captured data. */
function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'none';
}

/** Returns true for invalid data or a violated constraint: the row is the cause, not the database. */
const isOfTheRow = (sqlState: string): boolean => /^2[23]/.test(sqlState);

/** Stores the counts and all waiting rows (`All`, the default), or only complete batches of rows (`Batches`). */
export type CallFlush = (part?: 'All' | 'Batches') => Promise<void>;

/**
 * Returns the function that stores counts and waiting rows. It rejects when the database does not respond, and retains
 * its data for the next call. Increments have an id until they are stored, so that a lost response does not count them
 * twice.
 */
export function createCallFlush(deps: {
  readonly sql: Sql;
  readonly buffer: CallBuffer;
  /** Sources of all observed endpoints. The list may grow. */
  readonly sources: readonly StoredSource[];
  readonly counters: EndpointCounters;
  readonly application: string | null;
  readonly batchSize: number;
  /** Maximum number of rows per transaction. */
  readonly rowsAtOnce: number;
  readonly logger: JobsLogger;
}): CallFlush {
  const { sql, buffer, counters, logger } = deps;
  let pending: { readonly id: string; readonly increments: EndpointIncrements } | null = null;
  let toldDropped = 0;
  let storedSourceCount = 0;

  /** Stores new sources, before the rows that reference them. */
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
    // Increments of a failed flush are stored first and separately: the database may have stored their id already.
    await storePending();
    const increments = counters.take();
    if (increments) pending = { id: uuidV7(), increments };
    // Only once: further counts belong to the next flush. Under load this would otherwise never end.
    await storePending();
  };

  const storeSingly = async (batches: readonly CallBatch[]) => {
    for (const call of batches.flatMap((batch) => [...batch.decoded()])) {
      try {
        await insertEndpointCall(sql, call);
      } catch (error) {
        const sqlState = sqlStateOf(error);
        if (!isOfTheRow(sqlState)) throw error;
        // A row that cannot be stored must not affect other rows.
        logger.warn({ callId: call.id, sqlState }, 'a call could not be stored');
      }
    }
  };

  const storeRows = async (batches: readonly CallBatch[]): Promise<void> => {
    try {
      if (await copyEndpointCalls(sql, batches)) return;
    } catch (error) {
      if (!isOfTheRow(sqlStateOf(error))) throw error;
      // A row of one batch is invalid; the other batches are stored unchanged.
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
      // Stores only the rows that wait now: under constant load the loop would otherwise never end. An incomplete batch
      // waits until it is full or everything is stored.
      const leftMin = part === 'All' ? 1 : deps.batchSize;
      if (buffer.size() >= leftMin) await storeSources();
      for (let left = buffer.size(); left >= leftMin; ) {
        const batches = buffer.take(deps.rowsAtOnce);
        if (batches.length === 0) break;
        left -= batches.reduce((sum, { count }) => sum + count, 0);
        try {
          await storeRows(batches);
        } catch (error) {
          // The ids prevent duplicates of rows that were stored.
          buffer.putBack(batches);
          throw error;
        }
        buffer.forget();
      }
    } finally {
      tellDropped();
    }
  };

  // Flushes run one at a time, because each owns the rows that it took.
  let last: Promise<void> = Promise.resolve();
  return (part = 'All') => {
    const next = () => flush(part);
    last = last.then(next, next);
    return last;
  };
}
