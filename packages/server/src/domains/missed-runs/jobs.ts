import { defineJob, type Jobs } from '@svc/jobs';
import type { Watchdog } from './watchdog.ts';

/** Looks for runs that should have started. */
const watchRuns = defineJob<null>({
  name: 'watch-for-missed-runs',
  queue: 'maintenance',
  // A check whose session is silent ends, and the next one has another session.
  timeoutMs: 60_000,
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

type PassDeps = {
  readonly watchdog: Watchdog;
  /** Tells a monitor outside. */
  readonly beat: (signal: AbortSignal) => Promise<void>;
};

/** One look; only one that came to its end is told outside. */
export async function watchOnce({ watchdog, beat }: PassDeps, signal: AbortSignal): Promise<void> {
  await watchdog.check(signal);
  if (!signal.aborted) await beat(signal);
}

/** The look-out's background work. */
export function createMissedRunsJobs({ jobs, ...pass }: { readonly jobs: Jobs } & PassDeps) {
  jobs.handle(watchRuns, (_payload, { signal }) => watchOnce(pass, signal));
  return {
    /** Registers the recurring look; called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:watch-for-missed-runs',
        cron: '*/15 * * * * *',
        timeZone: 'UTC',
        job: watchRuns,
        payload: null,
      });
    },
  };
}
