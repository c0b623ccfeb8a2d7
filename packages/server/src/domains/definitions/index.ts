export { everyPage } from './kinds/canonical.ts';
export { createKinds } from './kinds/index.ts';
export { createAdmission } from './planning/admission.ts';
export { definitionRoutes } from './routes.ts';
export { createDefinitionsService, type DefinitionsService } from './service.ts';
export { moveSubscriptionDefinition } from './slug-store.ts';
