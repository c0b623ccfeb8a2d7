import { projectRights } from '../domains/projects/index.ts';
import {
  createQueriesService,
  type OpenDataSources,
  planSavedQuery,
  type QueriesService,
  queryRoutes,
} from '../domains/queries/index.ts';
import { createQueryFoldersService, queryFolderRoutes } from '../domains/query-folders/index.ts';
import { createQueryVersionsService, queryVersionRoutes } from '../domains/query-versions/index.ts';
import type { RunSql } from '../doors/run-sql/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { Settings } from './settings/index.ts';

export type QueriesPart = Part & {
  readonly queries: QueriesService;
  readonly planQuery: PlanQuery;
};
type PlanQuery = (
  executor: Parameters<typeof planSavedQuery>[0],
  queryId: number,
) => ReturnType<typeof planSavedQuery>;

/** Bounds of every execution of a query. */
export const executionLimits = ({ queries, attachmentBytesMax }: Settings) => ({
  maxExecutionRows: queries.maxExecutionRows,
  timeoutSeconds: queries.timeoutSeconds,
  attachmentBytesMax,
});

/** Personal data is masked wherever a result goes. */
export const maskingOf = ({ queries }: Settings) => ({
  isEnabled: true,
  customPatterns: queries.piiPatterns,
});

/** Saved queries, their versions and their previews. */
export function composeQueries(
  ground: Ground,
  deps: { readonly runSql: RunSql; readonly openDataSources: OpenDataSources },
): QueriesPart {
  const { database, audit, settings } = ground;
  const queries = createQueriesService({
    database,
    rights: projectRights,
    audit,
    ...deps,
    limits: executionLimits(settings),
    masking: maskingOf(settings),
  });
  const versions = createQueryVersionsService({ database, rights: projectRights, queries });
  const folders = createQueryFoldersService({ database, rights: projectRights, audit });
  return {
    queries,
    planQuery: (executor, queryId) => planSavedQuery(executor, queryId, deps.openDataSources),
    routes: [
      ...queryRoutes(queries),
      ...queryVersionRoutes(versions, queries.live),
      ...queryFolderRoutes(folders),
    ],
  };
}
