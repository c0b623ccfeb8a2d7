export { odcsRoutes } from './routes.ts';
export { createOdcsService } from './service.ts';
