export { createBudgetNotices } from './budget-notices.ts';
export { serveBudgetWatch } from './jobs.ts';
export { llmRefusal } from './refusal.ts';
export { llmUsageRoutes } from './routes.ts';
export { createLlmUsageService, type LlmUsageService, type RequireModel } from './service.ts';
