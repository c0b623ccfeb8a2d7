export { createKeyAuthenticator } from './authenticate.ts';
export { createExecuteConsent, type ExecuteAnswer, type ExecuteConsent, type KeyOwner } from './consent.ts';
export { createExpiryNotices, type NotifyKeyOwner } from './expiry-notices.ts';
export { createKeyInspection, type KeyInspection } from './inspection.ts';
export { createLastUsed, type LastUsed } from './last-used.ts';
export { apiKeyRoutes, keyInspectionEndpoints, keyInspectionRoutes } from './routes.ts';
export { type ApiKeysService, createApiKeysService } from './service.ts';
