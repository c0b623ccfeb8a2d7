export { createBudgetNotices } from './budget-notices.ts';
export { contentDays, createContentKeeper, createLlmCalls } from './calls.ts';
export { dropOldContents } from './calls-store.ts';
export { serveBudgetWatch } from './jobs.ts';
export { llmRefusal } from './refusal.ts';
export { llmUsageRoutes } from './routes.ts';
export { createLlmUsageService, type LlmUsageService, type RequireModel } from './service.ts';
