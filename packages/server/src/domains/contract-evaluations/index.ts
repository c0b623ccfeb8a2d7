export { createAlerts } from './alerting/alert.ts';
export { createEvaluate } from './evaluate.ts';
export { createContractSchedule, createEvaluationJobs } from './jobs.ts';
export { createPlanContract } from './plan.ts';
export { dropOldEvaluations, dropOldSamples } from './retention-store.ts';
export { evaluationRoutes } from './routes.ts';
export { createSamples } from './samples.ts';
export { createEvaluationsService, type EvaluationsService } from './service.ts';
export { createStartEvaluation } from './starting.ts';
