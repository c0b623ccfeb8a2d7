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

/** Observes calls of endpoints. Recording never touches the database on the way of a request and never fails one. */
export type Observer = {
  /** Makes the function that observes the requests of one endpoint; once, when the endpoint is mapped. */
  bind(endpoint: ObservedEndpoint): (observed: ObservedRequest) => Observation;
  /** Rows that were dropped since too many waited. */
  droppedCount(): number;
  /** Stores what is there now; rejects when the database does not answer. */
  flush(): Promise<void>;
  /** Stores what is left, for `timeoutMs` (default 5 s) at most, and stops. */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
};

/** What `addEndpointObservability` needs. */
export type ObserverDeps = {
  /** Pool of the caller's, not closed by `stop()`. One connection of it is used at a time. */
  readonly pool: pg.Pool;
  /** Schema of the tables. Default `svc_jobs`. */
  readonly schema?: string;
  /** Default: none is written. */
  readonly logger?: JobsLogger;
  /** Chance for the sampling, 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
};

const flushIntervalMs = 1_000;
/**
 * How long full batches wait for more. One transaction stores several: to be woken costs PostgreSQL and the host more
 * than what it is for.
 */
const batchWaitMs = 200;
/** Share of the buffer whose filling ends that wait, and that is on its way at once at most. */
const flushShare = 0.25;
const stopTimeoutMsDefault = 5_000;
const cleanupIntervalMs = 60_000;

/**
 * Registers the recording of calls: every option with its default, changed by the callback. The observing middleware
 * (`createEndpoints({ observer }).observe()`) is a step of its own.
 *
 * @throws JobsError `InvalidOptions` that names the bad option.
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
      // Rows are stored as often as there are enough of them, what was counted is not: that costs as much each time.
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
    // Less than a full batch is the last: under load there is always another row whose time has come.
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
      // `close` comes after a finished response and after a client that went away alike; what the host's error
      // handler made of an exception is in the response by then. First of all listeners: instrumentation that made
      // the span ends it at the same moment.
      let isEnded = false;
      const endOnce = () => {
        if (!isEnded) end(call);
        isEnded = true;
      };
      observed.response.prependListener('close', endOnce);
      // Some hosts end the span when the response has left: attributes of an ended span are lost.
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
