export { lockedSettings } from './definitions.ts';
export { isSamePlace, llmConnectionName, openPartOf } from './llm-connection.ts';
export { createLlmLimits, llmLimitsName } from './llm-limits.ts';
export { createLlmSettings } from './llm-settings.ts';
export { createLlmTest } from './llm-test.ts';
export { adminSettingsRoutes } from './routes.ts';
export { type AdminSettingsService, createAdminSettings, type RunTimeSettings } from './service.ts';
