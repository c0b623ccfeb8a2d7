export type { Vault } from './connection.ts';
export { requireInProject } from './in-project.ts';
export { createLinkedSources, type LinkedRow, type LinkedSource, type LinkedSources } from './linked.ts';
export { createLoginNotes, type LoginNotes } from './login-notes.ts';
export { createMetadataService, type MetadataService } from './metadata.ts';
export { findMetadata } from './metadata-store.ts';
export { createOpenDataSources, type OpenDataSource, type OpenDataSources, targetOf } from './open.ts';
export { dataSourceRoutes } from './routes.ts';
export { createDataSourcesService, type DataSourceInput, type DataSourcesService } from './service.ts';
