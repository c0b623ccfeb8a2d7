export { assertMayCopy, definitionOf } from './definition.ts';
export { createEndCopy } from './executions/ending.ts';
export { createMigrationExecutionsService } from './executions/service.ts';
export { createMigrationJobs, createMigrationSchedule, ignoreMigrationTicks } from './jobs.ts';
export { createMissedCopies } from './missed/watchdog.ts';
export { createMigrationPreviewsService } from './preview/service.ts';
export { migrationRoutes } from './routes.ts';
export { createMigrationsService, type MigrationsService } from './service.ts';
export { createStarting } from './starting.ts';
