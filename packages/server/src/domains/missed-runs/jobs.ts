import { defineJob, type Jobs } from '@svc/jobs';
import type { Watchdog } from './watchdog.ts';

/** Looks for runs that should have started. */
const watchRuns = defineJob<null>({
  name: 'watch-for-missed-runs',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** The look-out's background work. */
export function createMissedRunsJobs({
  jobs,
  watchdog,
}: {
  readonly jobs: Jobs;
  readonly watchdog: Watchdog;
}) {
  jobs.handle(watchRuns, (_payload, { signal }) => watchdog.check(signal));
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
