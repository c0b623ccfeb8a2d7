export { savedViewRoutes } from './routes.ts';
export { createSavedViewsService } from './service.ts';
