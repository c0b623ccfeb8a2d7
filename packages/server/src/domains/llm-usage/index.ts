export { llmUsageRoutes } from './routes.ts';
export { createLlmUsageService } from './service.ts';
