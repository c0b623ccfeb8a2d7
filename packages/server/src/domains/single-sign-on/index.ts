export { isEntraKind, textsOf } from './admission.ts';
export { createProvider, type ProviderSettings } from './provider.ts';
export { singleSignOnRoutes } from './routes.ts';
export { createSingleSignOnService, type SingleSignOnService } from './service.ts';
export { providerSettings } from './settings.ts';
export { deleteExpiredTransactions } from './store.ts';
export { userOfIdentity } from './users.ts';
