export { createDriftJobs } from './jobs.ts';
export { schemaChangeRoutes } from './routes.ts';
export { createDriftService, createNoteChanges } from './service.ts';
export { brokenQueries } from './store.ts';
