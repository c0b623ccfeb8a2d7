import { defineJob } from '@svc/jobs';

/** Job that evaluates the questions of one run. A retry continues after the last evaluated question. */
export const evaluateExamplesJob = defineJob<{ readonly runId: number }>({
  name: 'evaluate-examples',
  queue: 'ai',
  // One run can contain hundreds of sequential questions.
  timeoutMs: 24 * 3_600_000,
  retry: { attemptsMax: 5, delaysMs: [1_000, 10_000, 60_000] },
  concurrency: { limit: 1, key: () => 'all' },
  parse: (value) => {
    const { runId } = Object(value) as { runId?: unknown };
    if (typeof runId !== 'number' || !Number.isSafeInteger(runId) || runId < 1)
      throw new TypeError('runId must be a positive integer.');
    return { runId };
  },
});
