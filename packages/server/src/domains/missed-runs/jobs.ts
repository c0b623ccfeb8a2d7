import { defineJob, type Jobs } from '@svc/jobs';
import type { Logger } from '../../platform/log/index.ts';

/** Job that sends the heartbeat. A job of the engine, so that heartbeats stop when its workers stop. */
const sendHeartbeat = defineJob<null>({
  name: 'send-heartbeat',
  queue: 'maintenance',
  timeoutMs: 60_000,
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** Maximum age of the last complete check while the watchdog counts as alive. */
const lookAgeMsMax = 60_000;

type HeartbeatDeps = {
  readonly log: Pick<Logger, 'warn'>;
  readonly watch: { readonly hasSucceededWithin: (ms: number) => boolean };
  /** Sends one request to the monitor. */
  readonly beat: (signal: AbortSignal) => Promise<void>;
};

/** Sends a heartbeat while the watchdog of this process completes its checks. */
export async function beatWhileWatching(
  { log, watch, beat }: HeartbeatDeps,
  signal: AbortSignal,
): Promise<void> {
  if (watch.hasSucceededWithin(lookAgeMsMax)) return beat(signal);
  log.warn({}, 'no heartbeat is sent: the watchdog completed no look within a minute');
}

/**
 * Creates the background work of the heartbeat. It reaches the monitor only while the watchdog and the job engine both
 * work.
 */
export function createHeartbeatJobs({ jobs, ...deps }: { readonly jobs: Jobs } & HeartbeatDeps) {
  jobs.handle(sendHeartbeat, (_payload, { signal }) => beatWhileWatching(deps, signal));
  return {
    /** Registers the schedule. Called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:send-heartbeat',
        cron: '*/15 * * * * *',
        timeZone: 'UTC',
        job: sendHeartbeat,
        payload: null,
      });
      // Removes schedules of versions whose watchdogs were jobs.
      for (const key of ['maintenance:watch-for-missed-runs', 'maintenance:watch-for-missed-copies'])
        await jobs.schedules.remove(jobs.executor, key);
    },
  };
}
