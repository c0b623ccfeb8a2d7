export { type PreviewExtent, previewExtentOf } from './ad-hoc/preview-extent.ts';
export { findSavedQuery, listSavedQueries, type SavedQuery } from './catalogue.ts';
export { checkParameterValues } from './definition.ts';
export { requireFolder } from './folder.ts';
export {
  type OpenDataSources,
  planSavedQuery,
  type QueryRunPlan,
  type RunnableQuery,
  type SavedQueryPlan,
} from './plan.ts';
export { presentQuery } from './present.ts';
export { readableQuery, writableQuery } from './reach.ts';
export { queryRoutes } from './routes.ts';
export { createQueriesService, type QueriesService } from './service.ts';
export { findQuery, lockRow as lockQueryRow } from './store.ts';
export { addQueryChange, type VersionDefinition } from './version-store.ts';
