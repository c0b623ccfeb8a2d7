export { type Attempts, createAttempts } from './attempts.ts';
export { deliverWith } from './dispatch.ts';
export { createLedger } from './ledger.ts';
export { outcomeOf } from './outcome.ts';
export { createResendService, type ResendService } from './resend.ts';
export { deliveryRoutes } from './routes.ts';
export { deliveryResults, markInterruptedDeliveries, pendingRecipients } from './store.ts';
