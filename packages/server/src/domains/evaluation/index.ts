export { evaluationRoutes } from './routes.ts';
export { createEvaluationService } from './service.ts';
