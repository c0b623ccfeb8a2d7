import type { Jobs } from '@svc/jobs';
import { createBudgetNotices, serveBudgetWatch } from '../domains/llm-usage/index.ts';
import type { NoticesService } from '../domains/notices/index.ts';
import type { LlmLimits } from '../doors/llm/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** Who looks after the budget of the language model hears when it runs out. */
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
