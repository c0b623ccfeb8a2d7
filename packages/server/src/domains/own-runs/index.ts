export { ownRunRoutes } from './routes.ts';
export { createOwnRunsService, type OwnRunsService } from './service.ts';
