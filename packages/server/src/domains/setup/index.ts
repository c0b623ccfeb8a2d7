export { setupRoutes } from './routes.ts';
export { createSetupService, type OnFirstAdministrator, type SetupService } from './service.ts';
