export { userSettingsRoutes } from './routes.ts';
export { createUserSettingsService, type UserSettingsService } from './service.ts';
