export { createRecipientReader } from './reader.ts';
export { recipientRoutes } from './routes.ts';
export { createRecipientsService, type RecipientsService } from './service.ts';
