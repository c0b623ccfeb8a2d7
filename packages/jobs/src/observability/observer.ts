import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { createEngineDb } from '../client/executor.ts';
import { defaultSchema } from '../db/schema.ts';
import { type JobsLogger, silentLogger } from '../engine/logger.ts';
import { startLoop } from '../engine/loop.ts';
import { errorText } from '../errors.ts';
import {
  keepEndpointSources,
  removedCallsMax,
  removeExpiredCalls,
  removeOldFlushes,
  removeOldHourlySums,
  removeOldSources,
  removeSurplusCalls,
  type StoredSource,
  storedSource,
} from '../sql/endpoints/endpoint-calls.ts';
import { createSql } from '../sql/statement.ts';
import { createCallBuffer } from './call-buffer.ts';
import { teeResponse } from './capture.ts';
import { type CountedCall, createEndpointCounters } from './counters.ts';
import { callRow, machineName, meteredCall, outcomeOf, spanAttributes } from './describe-call.ts';
import { createCallFlush } from './flush-calls.ts';
import {
  type Observation,
  ObservedCall,
  type ObservedEndpoint,
  type ObservedRequest,
} from './observed-call.ts';
import { type EndpointObservabilityOptions, resolveObservability } from './options.ts';

/** Observes calls of endpoints. Recording never accesses the database during a request and never fails a request. */
export type Observer = {
  /** Returns the function that observes the requests of one endpoint. Called once, when the endpoint is mapped. */
  bind(endpoint: ObservedEndpoint): (observed: ObservedRequest) => Observation;
  /** Returns the number of rows dropped because the buffer was full. */
  droppedCount(): number;
  /** Stores all waiting data; rejects when the database does not respond. */
  flush(): Promise<void>;
  /** Stores all waiting data within `timeoutMs` (default 5 s) and stops. */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
};

/** Dependencies of `addEndpointObservability`. */
export type ObserverDeps = {
  /** Pool of the caller. `stop()` does not close it. One of its connections is used at a time. */
  readonly pool: pg.Pool;
  /** Schema of the tables. Default `svc_jobs`. */
  readonly schema?: string;
  /** Default: no log output. */
  readonly logger?: JobsLogger;
  /** Random source for the sampling, 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
};

const flushIntervalMs = 1_000;
/**
 * Time for which full batches wait for more. One transaction stores several batches, because a wake-up costs PostgreSQL
 * and the host more than the work itself.
 */
const batchWaitMs = 200;
/** Share of the buffer that ends that wait. It is also the maximum share of one transaction. */
const flushShare = 0.25;
const stopTimeoutMsDefault = 5_000;
const cleanupIntervalMs = 60_000;

/**
 * Registers the recording of calls. The callback changes the options, which all have defaults. The observing middleware
 * (`createEndpoints({ observer }).observe()`) is a separate step.
 *
 * @throws JobsError `InvalidOptions` that names the invalid option.
 */
export function addEndpointObservability(
  deps: ObserverDeps,
  configure: (options: EndpointObservabilityOptions) => void = () => undefined,
): Observer {
  const settings = resolveObservability(configure);
  const logger = deps.logger ?? silentLogger;
  const random = deps.random ?? Math.random;
  const sql = createSql(createEngineDb(deps.pool), deps.schema ?? defaultSchema, () => null);
  const buffer = createCallBuffer(settings.callLogBufferCapacity, settings.callLogFlushBatchSize);
  const counters = createEndpointCounters();
  const sources: StoredSource[] = [];
  const hasDatabase = settings.sink !== 'Otel';
  const telemetry = settings.sink === 'Database' ? null : settings.telemetry;
  let isStopped = false;

  const keepsRequestBody = settings.captureRequestBodies !== 'None';
  const keepsResponse = settings.captureResponseBodies !== 'None' || settings.captureHeaders !== 'None';

  const sampleRate = settings.recordCalls === 'All' ? settings.sampleRate : 0;
  const isSampled = () => sampleRate > 0 && (sampleRate === 1 || random() < sampleRate);

  const record = (ended: ObservedCall, count: (call: CountedCall) => void) => {
    const { span } = ended;
    const outcome = outcomeOf(settings, ended, logger);
    if (hasDatabase) {
      const { isFailed, groupName } = outcome;
      count({ isFailed, groupName, durationMs: ended.durationMs, atMs: ended.startedAtMs });
    }
    const metered = telemetry && meteredCall(settings, ended, outcome);
    if (metered) telemetry.record(metered);
    const hasRow = hasDatabase && (ended.isForced || outcome.isNotable || isSampled());
    if (!hasRow && span === undefined) return;
    const row = callRow(settings, ended, outcome, logger);
    if (metered) span?.setAttributes(spanAttributes(row, ended.trace.traceId, metered.dimensions));
    if (!hasRow) return;
    buffer.add(row);
    const size = buffer.size();
    if (size >= flushSize) flusher.wake();
    else if (size >= settings.callLogFlushBatchSize) wakeSoon();
  };

  const flushSize = Math.max(
    settings.callLogFlushBatchSize,
    Math.floor(settings.callLogBufferCapacity * flushShare),
  );
  const flush = createCallFlush({
    sql,
    buffer,
    sources,
    counters,
    application: settings.applicationName,
    batchSize: settings.callLogFlushBatchSize,
    rowsAtOnce: flushSize,
    logger,
  });
  let batchTimer: NodeJS.Timeout | null = null;
  const wakeSoon = () => {
    batchTimer ??= setTimeout(() => {
      batchTimer = null;
      flusher.wake();
    }, batchWaitMs);
  };
  let countsDueMs = 0;
  const flusher = startLoop(
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
  const cleaner = startLoop('remove old calls of endpoints', logger, async () => {
    const { endpointCallLogRetentionCount: countMax, applicationName } = settings;
    if (sources.length > 0) await keepEndpointSources(sql, sources);
    // An incomplete batch is the last one: under load, further rows expire continuously.
    while (!isStopped && (await removeExpiredCalls(sql)) === removedCallsMax);
    if (countMax !== null) {
      while (!isStopped && (await removeSurplusCalls(sql, applicationName, countMax)) === removedCallsMax);
    }
    await removeOldHourlySums(sql);
    await removeOldFlushes(sql);
    await removeOldSources(sql);
    return cleanupIntervalMs;
  });
  if (hasDatabase) {
    flusher.wake();
    cleaner.wake();
  }

  const isForcedFor = (request: IncomingMessage): boolean => {
    try {
      return settings.forceCapture?.(request) === true;
    } catch (error) {
      logger.debug({ error: errorText(error) }, 'forceCapture threw');
      return false;
    }
  };

  const bind: Observer['bind'] = (endpoint) => {
    const count = counters.bind(`${endpoint.method} ${endpoint.routeTemplate}`);
    const source = storedSource(
      { application: settings.applicationName, ...endpoint, machineName },
      settings.endpointCallLogRetentionMs,
    );
    if (!sources.some(({ id }) => id === source.id)) sources.push(source);
    const end = (call: ObservedCall) => {
      if (isStopped) return;
      call.end();
      try {
        record(call, count);
      } catch (cause) {
        logger.error({ error: errorText(cause) }, 'a call could not be recorded');
      }
    };
    return (observed) => {
      const call = new ObservedCall(
        observed,
        source,
        isForcedFor(observed.request),
        telemetry?.currentSpan(),
      );
      if (call.isForced || keepsRequestBody) call.requestBodyUnits = settings.maxCapturedBodySize + 1;
      if (call.isForced || keepsResponse) {
        const keepsBody = call.isForced || settings.captureResponseBodies !== 'None';
        call.captured = teeResponse(observed.response, keepsBody ? settings.maxCapturedBodySize : 0);
      }
      // `close` follows both a finished response and a client that disconnected. At that time the response contains the
      // result of the host's error handler. The listener must run first, because instrumentation ends the span on the
      // same event.
      let isEnded = false;
      const endOnce = () => {
        if (!isEnded) end(call);
        isEnded = true;
      };
      observed.response.prependListener('close', endOnce);
      // Some hosts end the span when the response was sent. Attributes of an ended span are lost.
      if (call.span !== undefined) observed.response.prependListener('finish', endOnce);
      return call;
    };
  };

  return {
    bind,
    droppedCount: () => buffer.dropped(),
    flush: () => flush(),
    stop: async (options) => {
      isStopped = true;
      if (batchTimer) clearTimeout(batchTimer);
      await Promise.all([flusher.stop(), cleaner.stop()]);
      if (!hasDatabase) return;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, options?.timeoutMs ?? stopTimeoutMsDefault);
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
