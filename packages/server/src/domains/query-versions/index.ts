export { queryVersionRoutes } from './routes.ts';
export { createQueryVersionsService, type QueryVersionsService } from './service.ts';
