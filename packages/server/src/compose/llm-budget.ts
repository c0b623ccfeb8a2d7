import type { Jobs } from '@svc/jobs';
import { createBudgetNotices, serveBudgetWatch } from '../domains/llm-usage/index.ts';
import type { NoticesService } from '../domains/notices/index.ts';
import type { LlmLimits } from '../doors/llm/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** Composes the notification of budget administrators when the budget of the language model is exhausted. */
export const composeLlmBudget = (
  { database }: Ground,
  deps: {
    readonly jobs: Jobs;
    readonly notices: Pick<NoticesService, 'tellResponsible'>;
    readonly llmLimits: () => Promise<LlmLimits>;
  },
): Part =>
  serveBudgetWatch(
    deps.jobs,
    createBudgetNotices({
      database,
      limits: deps.llmLimits,
      tellResponsible: deps.notices.tellResponsible,
    }),
  );
