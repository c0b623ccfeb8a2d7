export { differencesOf } from './diff.ts';
export { queryVersionRoutes } from './routes.ts';
export { createQueryVersionsService, type QueryVersionsService } from './service.ts';
export { linkedSources } from './store.ts';
