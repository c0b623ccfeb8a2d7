import { defineJob, type Jobs } from '@svc/jobs';

/** Job that checks how much of the monthly budget is used. */
const watchBudget = defineJob<null>({
  name: 'watch-llm-budget',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/**
 * Serves the budget check.
 *
 * @returns the function that registers it, called at start.
 */
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
