import { defineJob, type Jobs } from '@svc/jobs';
import type { ImportResult } from './import.ts';

const importDocuments = defineJob<null>({
  name: 'import-documents',
  queue: 'maintenance',
  // Retries, because the next scheduled import is up to 15 minutes later.
  retry: { attemptsMax: 3 },
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

const key = 'maintenance:import-documents';

/** Imports the documents every 15 minutes, because folders change while the service runs. */
export function createImportJobs({
  jobs,
  run,
}: {
  readonly jobs: Jobs;
  readonly run: () => Promise<ImportResult>;
}) {
  jobs.handle(importDocuments, async () => void (await run()));
  return {
    /** Registers the recurring import; called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key,
        cron: '*/15 * * * *',
        timeZone: 'UTC',
        job: importDocuments,
        payload: null,
      });
    },
  };
}
