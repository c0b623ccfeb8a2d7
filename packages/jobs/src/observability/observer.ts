import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';
import { type JobsLogger, silentLogger } from '../engine/logger.ts';
import { startLoop } from '../engine/loop.ts';
import { errorText } from '../errors.ts';
import { createEngineDb } from '../executor.ts';
import { defaultSchema } from '../schema.ts';
import {
  addEndpointStatistics,
  type EndpointCall,
  insertEndpointCalls,
  removeExpiredCalls,
  removeOldHourlySums,
  removeSurplusCalls,
} from '../sql/endpoint-calls.ts';
import { createSql } from '../sql/statement.ts';
import { type CallBuffer, createCallBuffer } from './call-buffer.ts';
import { teeResponse } from './capture.ts';
import { createEndpointCounters } from './counters.ts';
import {
  callRow,
  describeCall,
  type EndedCall,
  type ObservedEndpoint,
  tellTelemetry,
} from './describe-call.ts';
import { type EndpointObservabilityOptions, resolveObservability } from './options.ts';

/** A request under observation. */
export type Observation = {
  setRequestBody(text: string): void;
  setException(error: unknown): void;
};

/** Observes calls of endpoints. Recording never touches the database on the way of a request and never fails one. */
export type Observer = {
  begin(request: IncomingMessage, response: ServerResponse, endpoint: ObservedEndpoint): Observation;
  /** Rows that were dropped since too many waited. */
  droppedCount(): number;
  /** Stores what is there now; rejects when the database does not answer. */
  flush(): Promise<void>;
  /** Stores what is left, for `timeoutMs` (default 5 s) at most, and stops. */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
};

const flushIntervalMs = 1_000;
const stopTimeoutMsDefault = 5_000;
const cleanupIntervalMs = 60_000;

type Settings = Readonly<EndpointObservabilityOptions>;

/** Whether anything of a response's body may be kept. */
const mayCaptureResponse = (settings: Settings, isForced: boolean) =>
  (isForced || settings.captureResponseBodies !== 'None') && settings.maxCapturedBodySize > 0;

/**
 * Registers the recording of calls: every option with its default, changed by the callback.
 *
 * @throws JobsError `InvalidOptions`.
 */
export function createObserver(
  deps: {
    readonly pool: pg.Pool;
    readonly schema?: string;
    readonly logger?: JobsLogger;
    readonly random?: () => number;
  },
  configure: (options: EndpointObservabilityOptions) => void = () => undefined,
): Observer {
  const settings = resolveObservability(configure);
  const logger = deps.logger ?? silentLogger;
  const random = deps.random ?? Math.random;
  const sql = createSql(createEngineDb(deps.pool), deps.schema ?? defaultSchema, () => null);
  const buffer: CallBuffer<EndpointCall> = createCallBuffer(settings.callLogBufferCapacity);
  const counters = createEndpointCounters();
  let toldDropped = 0;
  let isStopped = false;

  const record = (ended: EndedCall) => {
    const described = describeCall(settings, ended, logger);
    if (settings.sink !== 'Database') tellTelemetry(settings, ended, described);
    if (settings.sink === 'Otel') return;
    counters.add({
      endpoint: `${ended.endpoint.method} ${ended.endpoint.routeTemplate}`,
      groupName: described.groupName,
      isFailed: described.isFailed,
      durationMs: ended.durationMs,
      atMs: ended.startedAt.getTime(),
    });
    const isSampled = settings.recordCalls === 'All' && random() < settings.sampleRate;
    if (!ended.isForced && !described.isNotable && !isSampled) return;
    buffer.add(callRow(settings, ended, described));
    if (buffer.size() >= settings.callLogFlushBatchSize) flusher.wake();
  };

  const writeSingly = async (calls: readonly EndpointCall[]) => {
    for (const call of calls) {
      // One row that cannot be stored loses only itself.
      await insertEndpointCalls(sql, [call]).catch((error) =>
        logger.warn({ callId: call.id, error: errorText(error) }, 'a call could not be stored'),
      );
    }
  };

  const writeBatch = async (calls: readonly EndpointCall[]) => {
    try {
      await insertEndpointCalls(sql, calls);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code.startsWith('22') || code.startsWith('23')) return writeSingly(calls);
      buffer.putBack(calls);
      throw error;
    }
  };

  const flush = async () => {
    const increments = counters.take();
    if (increments) {
      try {
        await addEndpointStatistics(sql, settings.applicationName, increments);
      } catch (error) {
        counters.giveBack(increments);
        throw error;
      }
    }
    for (
      let calls = buffer.take(settings.callLogFlushBatchSize);
      calls.length > 0;
      calls = buffer.take(settings.callLogFlushBatchSize)
    ) {
      await writeBatch(calls);
    }
    const dropped = buffer.dropped();
    if (dropped > toldDropped) {
      logger.warn({ count: dropped - toldDropped }, 'rows of calls were dropped, since too many waited');
      toldDropped = dropped;
    }
  };

  const flusher = startLoop(
    'store calls of endpoints',
    logger,
    async () => {
      await flush();
      return flushIntervalMs;
    },
    { retryWaitMsMax: 5_000 },
  );
  const cleaner = startLoop('remove old calls of endpoints', logger, async () => {
    while (!isStopped && (await removeExpiredCalls(sql)) > 0);
    const { endpointCallLogRetentionCount: countMax } = settings;
    while (!isStopped && countMax !== null && (await removeSurplusCalls(sql, countMax)) > 0);
    await removeOldHourlySums(sql);
    return cleanupIntervalMs;
  });
  if (settings.sink !== 'Otel') {
    flusher.wake();
    cleaner.wake();
  }

  const isForcedFor = (request: IncomingMessage): boolean => {
    try {
      return settings.forceCapture?.(request) ?? false;
    } catch (error) {
      logger.debug({ error: errorText(error) }, 'forceCapture threw');
      return false;
    }
  };

  return {
    begin: (request, response, endpoint) => {
      const startedAt = new Date();
      const startedAtMs = performance.now();
      const isForced = isForcedFor(request);
      const responseBody = mayCaptureResponse(settings, isForced)
        ? teeResponse(response, settings.maxCapturedBodySize)
        : null;
      let requestBody: string | null = null;
      let error: EndedCall['error'] = null;
      // `close` comes after a finished response and after a client that went away alike; what the host's error
      // handler made of an exception is in the response by then.
      response.once('close', () => {
        if (isStopped) return;
        const durationMs = performance.now() - startedAtMs;
        const ended = {
          request,
          response,
          endpoint,
          startedAt,
          durationMs,
          error,
          isForced,
          requestBody,
          responseBody,
        };
        try {
          record(ended);
        } catch (cause) {
          logger.error({ error: errorText(cause) }, 'a call could not be recorded');
        }
      });
      return {
        setRequestBody: (text) => {
          if (isForced || settings.captureRequestBodies !== 'None') {
            requestBody = text.slice(0, settings.maxCapturedBodySize + 1);
          }
        },
        setException: (value) => {
          error ??= { value, isAfterStart: response.headersSent };
        },
      };
    },
    droppedCount: () => buffer.dropped(),
    flush,
    stop: async (options) => {
      isStopped = true;
      await Promise.all([flusher.stop(), cleaner.stop()]);
      if (settings.sink === 'Otel') return;
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
