export type { KeyRules } from './access.ts';
export { createKeyAuthenticator } from './authenticate.ts';
export { createExpiryNotices } from './expiry-notices.ts';
export { createKeyInspection, type ReachableProjects } from './inspection.ts';
export { createLastUsed, type LastUsed } from './last-used.ts';
export { apiKeyRoutes } from './routes.ts';
export { type ApiKeysService, createApiKeysService, type ReadableWithoutBypass } from './service.ts';
