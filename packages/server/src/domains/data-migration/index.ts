export { createEndCopy } from './ending.ts';
export { createMigrationExecutionsService } from './executions.ts';
export { createMigrationJobs, createMigrationSchedule, ignoreMigrationTicks } from './jobs.ts';
export { migrationRoutes } from './routes.ts';
export { createMigrationsService } from './service.ts';
export { createStarting } from './starting.ts';
