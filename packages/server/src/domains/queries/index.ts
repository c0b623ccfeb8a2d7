export { notApproved } from './ad-hoc/execution.ts';
export { withNumbers } from './ad-hoc/number-format.ts';
export { type PreviewExtent, previewExtentOf } from './ad-hoc/preview-extent.ts';
export { activateVersion, createSaveApprovals, holdSources } from './approval.ts';
export { findSavedQuery, listSavedQueries, type SavedQuery } from './catalogue.ts';
export { checkParameterValues, type ParameterValues } from './definition.ts';
export { requireFolder } from './folder.ts';
export {
  type OpenDataSources,
  planOf,
  planSavedQuery,
  type QueryRunPlan,
  type RunnableQuery,
  type SavedQueryPlan,
} from './plan.ts';
export { presentQuery } from './present.ts';
export { readableQuery, writableQuery } from './reach.ts';
export { queryRoutes } from './routes.ts';
export { createQueriesService, type QueriesService } from './service.ts';
export { type FoundQuery, findQuery, lockRow as lockQueryRow } from './store.ts';
export {
  addQueryChange,
  endPendingVersion,
  findStoredVersion,
  type StoredVersion,
  type VersionDefinition,
} from './version-store.ts';
