export { evalScheduleRoutes, evaluationRoutes } from './routes.ts';
export { createEvalSchedulesService } from './schedules/service.ts';
export { createEvaluationService } from './service.ts';
export { createStartRun } from './starting.ts';
