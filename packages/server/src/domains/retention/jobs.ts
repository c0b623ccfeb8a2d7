import { defineJob, type Jobs } from '@svc/jobs';
import type { RetentionService } from './service.ts';

/** Bound of one hourly turn, in ms. */
const jobTimeoutMs = 6 * 3_600_000;

const keepMonths = defineJob<null>({
  name: 'keep-months',
  queue: 'maintenance',
  // Each statement has a deadline of its own; a month of a large history takes several.
  timeoutMs: jobTimeoutMs,
  // It is long until the next one.
  retry: { attemptsMax: 3 },
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** The hourly look after the months: those that come are made, those that are over are removed. */
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
    /** Registers the recurring look; called at start. */
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
