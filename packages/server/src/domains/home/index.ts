export { homeRoutes } from './routes.ts';
export { createHomeService, type HomeService } from './service.ts';
