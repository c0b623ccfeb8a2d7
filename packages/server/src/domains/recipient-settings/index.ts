export { recipientSettingsRoutes } from './routes.ts';
export { createRecipientSettingsService, type RecipientSettingsService } from './service.ts';
