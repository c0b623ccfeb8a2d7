export { createRunEnding, type RunEvents } from './ending.ts';
export { createRunJobs, type RunJobs } from './jobs.ts';
export { createLedger, deliverWith } from './ledger.ts';
export { createRunPipeline, type RunPipeline } from './pipeline.ts';
export { notificationRoutes } from './routes.ts';
export { createHistoryService, type HistoryService } from './service.ts';
