import type { Logger } from '../../platform/log/index.ts';
import { heartbeatPolicy, type Outbound } from '../../platform/outbound/index.ts';

const timeoutMs = 10_000;

/**
 * Creates the function that sends one heartbeat to an external monitor. The monitor raises the alarm when they stop,
 * because a stopped service cannot. The URL often contains a token, so it is never logged.
 *
 * @param options.url  `Svc:Watchdog:HeartbeatUrl`; undefined disables heartbeats.
 */
export function createHeartbeat(options: {
  readonly outbound: Pick<Outbound, 'request'>;
  readonly log: Logger;
  readonly url: string | undefined;
  readonly useProxy: boolean;
}): (signal: AbortSignal) => Promise<void> {
  const { outbound, log, url, useProxy } = options;
  if (url === undefined) return async () => undefined;
  const policy = heartbeatPolicy(url, { useProxy });
  let isHeard = true;
  return async (signal) => {
    const result = await outbound.request({
      url,
      policy,
      signal,
      method: 'GET',
      headers: {},
      totalTimeoutMs: timeoutMs,
    });
    const wasHeard = isHeard;
    isHeard = result.ok && result.status >= 200 && result.status < 300;
    // Logs changes only: an unreachable monitor would otherwise cause four log lines per minute.
    if (wasHeard && !isHeard)
      log.warn(result.ok ? { status: result.status } : { failure: result.failure }, 'no heartbeat was taken');
    if (!wasHeard && isHeard) log.info('heartbeats are taken again');
  };
}
