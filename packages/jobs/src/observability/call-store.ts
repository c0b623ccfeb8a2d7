import { performance } from 'node:perf_hooks';
import type { JobsLogger } from '../engine/logger.ts';
import { startLoop } from '../engine/loop.ts';
import { errorText } from '../errors.ts';
import type { EndpointCall, StoredSource } from '../sql/endpoints/endpoint-calls.ts';
import type { Sql } from '../sql/statement.ts';
import { createCallBuffer } from './call-buffer.ts';
import type { EndpointCounters } from './counters.ts';
import { createCallFlush } from './flush-calls.ts';
import type { EndpointObservabilityOptions } from './options.ts';

const flushIntervalMs = 1_000;
/**
 * Time for which full batches wait for more. One transaction stores several batches, because a wake-up costs PostgreSQL
 * and the host more than the work itself.
 */
const batchWaitMs = 200;
/** Share of the buffer that ends that wait. It is also the maximum share of one transaction. */
const flushShare = 0.25;

/** Rows and counts on their way to the database. */
export type CallStore = {
  /** Adds a row. A full buffer drops its oldest row. */
  add(row: EndpointCall): void;
  /** Returns the number of rows dropped because the buffer was full. */
  droppedCount(): number;
  /** Begins to store rows and counts in the background. */
  start(): void;
  /** Stores all waiting data; rejects when the database does not respond. */
  flush(): Promise<void>;
  /** Ends the background work and waits for its current run. */
  stop(): Promise<void>;
  /** Stores all waiting data, at most for `timeoutMs`; never rejects. */
  flushWithin(timeoutMs: number): Promise<void>;
};

export function createCallStore(deps: {
  readonly sql: Sql;
  readonly settings: Readonly<EndpointObservabilityOptions>;
  readonly sources: readonly StoredSource[];
  readonly counters: EndpointCounters;
  readonly logger: JobsLogger;
}): CallStore {
  const { settings, logger } = deps;
  const batchSize = settings.callLogFlushBatchSize;
  const flushSize = Math.max(batchSize, Math.floor(settings.callLogBufferCapacity * flushShare));
  const buffer = createCallBuffer(settings.callLogBufferCapacity, batchSize);
  const flush = createCallFlush({
    sql: deps.sql,
    buffer,
    sources: deps.sources,
    counters: deps.counters,
    application: settings.applicationName,
    batchSize,
    rowsAtOnce: flushSize,
    logger,
  });

  let countsDueMs = 0;
  const loop = startLoop(
    'store calls of endpoints',
    logger,
    async () => {
      // Rows are stored whenever enough of them wait. Counts are stored at a fixed interval, because their cost does
      // not depend on their number.
      const isCountDue = performance.now() >= countsDueMs;
      await flush(isCountDue ? 'All' : 'Batches');
      if (isCountDue) countsDueMs = performance.now() + flushIntervalMs;
      return Math.max(0, Math.min(flushIntervalMs, countsDueMs - performance.now()));
    },
    { retryWaitMsMax: 5_000 },
  );

  let batchTimer: NodeJS.Timeout | null = null;
  const wakeSoon = () => {
    batchTimer ??= setTimeout(() => {
      batchTimer = null;
      loop.wake();
    }, batchWaitMs);
  };

  return {
    add: (row) => {
      buffer.add(row);
      const size = buffer.size();
      if (size >= flushSize) loop.wake();
      else if (size >= batchSize) wakeSoon();
    },
    droppedCount: () => buffer.dropped(),
    start: () => loop.wake(),
    flush: () => flush(),
    stop: async () => {
      if (batchTimer) clearTimeout(batchTimer);
      await loop.stop();
    },
    flushWithin: async (timeoutMs) => {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, timeoutMs);
      const last = flush().catch((error) =>
        logger.warn(
          { count: buffer.size(), error: errorText(error) },
          'calls of endpoints could not be stored',
        ),
      );
      await Promise.race([last, late.promise]);
      clearTimeout(timer);
    },
  };
}
