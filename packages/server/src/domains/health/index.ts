export { healthRoutes } from './routes.ts';
export { createHealthService, type HealthService } from './service.ts';
