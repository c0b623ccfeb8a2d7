import type pg from 'pg';
import { createEngineDb } from '../client/executor.ts';
import { defaultSchema } from '../db/schema.ts';
import { type JobsLogger, silentLogger } from '../engine/logger.ts';
import { errorText } from '../errors.ts';
import { type StoredSource, storedSource } from '../sql/endpoints/endpoint-calls.ts';
import { createSql } from '../sql/statement.ts';
import { createCallStore } from './call-store.ts';
import { startCallCleaner } from './clean-calls.ts';
import { createEndpointCounters } from './counters.ts';
import { machineName } from './describe-call.ts';
import { createObserve } from './observe-endpoint.ts';
import type { Observation, ObservedCall, ObservedEndpoint, ObservedRequest } from './observed-call.ts';
import { type EndpointObservabilityOptions, resolveObservability } from './options.ts';
import { createRecordCall } from './record-call.ts';

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

const stopTimeoutMsDefault = 5_000;

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
  const sql = createSql(createEngineDb(deps.pool), deps.schema ?? defaultSchema, () => null);
  const hasDatabase = settings.sink !== 'Otel';
  const telemetry = settings.sink === 'Database' ? null : settings.telemetry;
  let isStopped = false;

  const counters = createEndpointCounters();
  const sources: StoredSource[] = [];
  const store = createCallStore({ sql, settings, sources, counters, logger });
  const cleaner = startCallCleaner({ sql, settings, sources, isStopped: () => isStopped, logger });
  const record = createRecordCall({
    settings,
    telemetry,
    addRow: hasDatabase ? store.add : null,
    random: deps.random ?? Math.random,
    logger,
  });
  if (hasDatabase) {
    store.start();
    cleaner.wake();
  }

  return {
    bind: (endpoint) => {
      const count = counters.bind(`${endpoint.method} ${endpoint.routeTemplate}`);
      const source = storedSource(
        { application: settings.applicationName, ...endpoint, machineName },
        settings.endpointCallLogRetentionMs,
      );
      if (!sources.some(({ id }) => id === source.id)) sources.push(source);
      return createObserve({ settings, telemetry, logger }, source, (call: ObservedCall) => {
        if (isStopped) return;
        call.end();
        try {
          record(call, count);
        } catch (cause) {
          logger.error({ error: errorText(cause) }, 'a call could not be recorded');
        }
      });
    },
    droppedCount: store.droppedCount,
    flush: store.flush,
    stop: async (options) => {
      isStopped = true;
      await Promise.all([store.stop(), cleaner.stop()]);
      if (hasDatabase) await store.flushWithin(options?.timeoutMs ?? stopTimeoutMsDefault);
    },
  };
}
