export { healthRoutes } from './routes.ts';
export { createHealthService, type HealthService, type ProbePool } from './service.ts';
