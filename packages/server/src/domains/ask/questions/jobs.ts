import { defineJob } from '@svc/jobs';

const timeoutMs = 180_000;
/** Lease of an answer that no job works on. After it expires, the answer no longer counts against its caller. */
export const answerLeaseMs = 20_000;

/** Answers one question. An error of a model, a gate or a data source is a result and is not retried. */
export const answerQuestionJob = defineJob<{ readonly answerId: number }>({
  name: 'answer-question',
  queue: 'ai',
  retry: { attemptsMax: 2, delaysMs: [1_000] },
  timeoutMs,
  parse: (value) => {
    const { answerId } = Object(value) as { answerId?: unknown };
    if (typeof answerId !== 'number' || !Number.isSafeInteger(answerId) || answerId < 1)
      throw new TypeError('answerId must be a positive integer.');
    return { answerId };
  },
});
