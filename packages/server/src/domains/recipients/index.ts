export { createRecipientApprovals, type RecipientApprovals } from './approvals/approvals.ts';
export { createKeyDependents } from './key-dependents.ts';
export { requireReadOfAll } from './reach.ts';
export { createRecipientReader } from './reader.ts';
export { type InboxOptions, recipientRoutes } from './routes.ts';
export { createRecipientsService, type RecipientsService } from './service.ts';
