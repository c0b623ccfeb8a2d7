export { createRetentionJobs } from './jobs.ts';
export { retentionRoutes } from './routes.ts';
export { createRetentionService, type RetentionDays, type RetentionService } from './service.ts';
