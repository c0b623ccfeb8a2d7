import { defineJob, type Jobs } from '@svc/jobs';
import type { Logger } from '../../platform/log/index.ts';

/** Sends the heartbeat. A job of the engine, so that dead workers end the heartbeats. */
const sendHeartbeat = defineJob<null>({
  name: 'send-heartbeat',
  queue: 'maintenance',
  timeoutMs: 60_000,
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** Age of the last complete look up to which the watchdog counts as alive. */
const lookAgeMsMax = 60_000;

type HeartbeatDeps = {
  readonly log: Pick<Logger, 'warn'>;
  readonly watch: { readonly hasSucceededWithin: (ms: number) => boolean };
  /** Sends one request to the monitor. */
  readonly beat: (signal: AbortSignal) => Promise<void>;
};

/** Sends a heartbeat while the watchdog of this process completes its looks. */
export async function beatWhileWatching(
  { log, watch, beat }: HeartbeatDeps,
  signal: AbortSignal,
): Promise<void> {
  if (watch.hasSucceededWithin(lookAgeMsMax)) return beat(signal);
  log.warn({}, 'no heartbeat is sent: the watchdog completed no look within a minute');
}

/** The heartbeat as background work. It reaches the monitor only while the watchdog and the job engine both work. */
export function createHeartbeatJobs({ jobs, ...deps }: { readonly jobs: Jobs } & HeartbeatDeps) {
  jobs.handle(sendHeartbeat, (_payload, { signal }) => beatWhileWatching(deps, signal));
  return {
    /** Registers the schedule; called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:send-heartbeat',
        cron: '*/15 * * * * *',
        timeZone: 'UTC',
        job: sendHeartbeat,
        payload: null,
      });
      // Schedules of versions whose watchdogs were jobs.
      for (const key of ['maintenance:watch-for-missed-runs', 'maintenance:watch-for-missed-copies'])
        await jobs.schedules.remove(jobs.executor, key);
    },
  };
}
