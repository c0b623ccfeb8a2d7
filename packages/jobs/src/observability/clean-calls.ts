import type { JobsLogger } from '../engine/logger.ts';
import { type Loop, startLoop } from '../engine/loop.ts';
import {
  keepEndpointSources,
  removedCallsMax,
  removeExpiredCalls,
  removeOldFlushes,
  removeOldHourlySums,
  removeOldSources,
  removeSurplusCalls,
  type StoredSource,
} from '../sql/endpoints/endpoint-calls.ts';
import type { Sql } from '../sql/statement.ts';
import type { EndpointObservabilityOptions } from './options.ts';

const intervalMs = 60_000;

/** Starts the loop that removes expired and surplus rows, once it is woken. */
export function startCallCleaner(deps: {
  readonly sql: Sql;
  readonly settings: Readonly<EndpointObservabilityOptions>;
  readonly sources: readonly StoredSource[];
  /** Returns true after the stop. It ends a long removal between two statements. */
  readonly isStopped: () => boolean;
  readonly logger: JobsLogger;
}): Loop {
  const { sql, settings, sources, isStopped } = deps;
  return startLoop('remove old calls of endpoints', deps.logger, async () => {
    const { endpointCallLogRetentionCount: countMax, applicationName } = settings;
    if (sources.length > 0) await keepEndpointSources(sql, sources);
    // An incomplete batch is the last one: under load, further rows expire continuously.
    while (!isStopped() && (await removeExpiredCalls(sql)) === removedCallsMax);
    if (countMax !== null) {
      while (!isStopped() && (await removeSurplusCalls(sql, applicationName, countMax)) === removedCallsMax);
    }
    await removeOldHourlySums(sql);
    await removeOldFlushes(sql);
    await removeOldSources(sql);
    return intervalMs;
  });
}
