import type { Jobs } from '@svc/jobs';
import { createBudgetNotices, serveBudgetWatch } from '../../domains/llm-usage/index.ts';
import type { NoticesService } from '../../domains/notices/index.ts';
import type { LlmLimits } from '../../gateways/llm/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/** Composes the notification of budget administrators when the budget of the language model is exhausted. */
export const composeLlmBudget = (
  { database }: Infrastructure,
  deps: {
    readonly jobs: Jobs;
    readonly notices: Pick<NoticesService, 'tellResponsible'>;
    readonly llmLimits: () => Promise<LlmLimits>;
  },
): Module =>
  serveBudgetWatch(
    deps.jobs,
    createBudgetNotices({
      database,
      limits: deps.llmLimits,
      tellResponsible: deps.notices.tellResponsible,
    }),
  );
