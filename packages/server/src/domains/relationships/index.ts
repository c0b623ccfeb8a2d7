export { checkRelationship } from './check.ts';
export { relationshipRoutes } from './routes.ts';
export { createRelationshipsService, type RelationshipsService, syncRelationships } from './service.ts';
export { confirmedKeys } from './store.ts';
