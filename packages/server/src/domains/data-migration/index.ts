export { assertMayCopy, definitionOf } from './definition.ts';
export { createEndCopy } from './ending.ts';
export { createMigrationExecutionsService } from './executions.ts';
export { createMigrationJobs, createMigrationSchedule, ignoreMigrationTicks } from './jobs.ts';
export { createMissedCopies } from './missed/watchdog.ts';
export { createMigrationPreviewsService } from './preview.ts';
export { migrationRoutes } from './routes.ts';
export { createMigrationsService, type MigrationsService } from './service.ts';
export { createStarting } from './starting.ts';
