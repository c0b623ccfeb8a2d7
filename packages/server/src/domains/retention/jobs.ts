import { defineJob, type Jobs } from '@svc/jobs';
import type { RetentionService } from './service.ts';

/** Time limit of one hourly job, in ms. */
const jobTimeoutMs = 6 * 3_600_000;

const keepMonths = defineJob<null>({
  name: 'keep-months',
  queue: 'maintenance',
  // Each statement has its own deadline. A month of a large history takes several statements.
  timeoutMs: jobTimeoutMs,
  // The next job runs an hour later.
  retry: { attemptsMax: 3 },
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** Creates the hourly job of the months: it adds future months and removes expired ones. */
export function createRetentionJobs({
  jobs,
  service,
}: {
  readonly jobs: Jobs;
  readonly service: RetentionService;
}) {
  jobs.handle(keepMonths, async (_payload, { signal }) => {
    await service.addMonths();
    await service.removeOld(signal);
  });
  return {
    /** Registers the recurring job. Call it at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:keep-months',
        cron: '41 * * * *',
        timeZone: 'UTC',
        job: keepMonths,
        payload: null,
      });
    },
  };
}
