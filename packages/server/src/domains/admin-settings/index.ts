export { adminSettingsRoutes } from './routes.ts';
export { type AdminSettingsService, createAdminSettings } from './service.ts';
