import { defineJob, type Jobs } from '@svc/jobs';

const learnFromUse = defineJob<null>({
  name: 'learn-from-use',
  queue: 'maintenance',
  // It is long until the next one.
  retry: { attemptsMax: 3 },
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** Learns every six hours; nothing in it is urgent, and somebody decides about all of it. */
export function createLearningJobs({
  jobs,
  learn,
}: {
  readonly jobs: Jobs;
  readonly learn: (signal: AbortSignal) => Promise<void>;
}) {
  jobs.handle(learnFromUse, (_payload, { signal }) => learn(signal));
  return {
    /** Registers the recurring look; called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:learn-from-use',
        cron: '17 */6 * * *',
        timeZone: 'UTC',
        job: learnFromUse,
        payload: null,
      });
    },
  };
}
