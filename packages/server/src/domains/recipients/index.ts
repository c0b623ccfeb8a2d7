export { createRecipientApprovals, type RecipientApprovals } from './approval.ts';
export { createKeyDependents } from './key-dependents.ts';
export { requireReadOfAll } from './reach.ts';
export { createRecipientReader } from './reader.ts';
export { type InboxOptions, recipientRoutes } from './routes.ts';
export { createRecipientsService, type RecipientsService } from './service.ts';
