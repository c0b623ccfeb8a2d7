import { defineJob, type Jobs } from '@svc/jobs';

/** Looks how much of the month's budget is spent. */
const watchBudget = defineJob<null>({
  name: 'watch-llm-budget',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** Serves the look. @returns what registers it, called at start. */
export function serveBudgetWatch(
  jobs: Jobs,
  notices: { readonly check: () => Promise<void> },
): { readonly start: () => Promise<void> } {
  jobs.handle(watchBudget, () => notices.check());
  return {
    start: async () => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:watch-llm-budget',
        cron: '* * * * *',
        timeZone: 'UTC',
        job: watchBudget,
        payload: null,
      });
      await jobs.enqueue(jobs.executor, watchBudget, null);
    },
  };
}
