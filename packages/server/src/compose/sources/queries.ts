import type { ChangeRequests } from '../../domains/approvals/index.ts';
import { mcpStates } from '../../domains/mcp/index.ts';
import { createOwnRunsService, ownRunRoutes } from '../../domains/own-runs/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import {
  createQueriesService,
  createSaveApprovals,
  type OpenDataSources,
  planSavedQuery,
  type QueriesService,
  queryRoutes,
} from '../../domains/queries/index.ts';
import { createQueryFoldersService, queryFolderRoutes } from '../../domains/query-folders/index.ts';
import {
  createQueryToolsService,
  type QueryToolsService,
  queryToolRoutes,
} from '../../domains/query-tools/index.ts';
import { createQueryVersionsService, queryVersionRoutes } from '../../domains/query-versions/index.ts';
import type { RunSql } from '../../gateways/run-sql/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { Settings } from '../settings/index.ts';

export type QueriesModule = Module & {
  readonly queries: QueriesService;
  readonly tools: QueryToolsService;
  readonly planQuery: PlanQuery;
};
type PlanQuery = (
  executor: Parameters<typeof planSavedQuery>[0],
  queryId: number,
) => ReturnType<typeof planSavedQuery>;

/** Returns the limits of every execution of a query. */
export const executionLimits = ({ queries, subscriptions, attachmentBytesMax }: Settings) => ({
  maxExecutionRows: queries.maxExecutionRows,
  timeoutSeconds: queries.timeoutSeconds,
  attachmentBytesMax,
  rowMemoryMaxRows: subscriptions.rowMemoryMaxRows,
});

/** Returns the masking of personal data. It applies to every destination of a result. */
export const maskingOf = ({ queries }: Settings) => ({
  isEnabled: true,
  customPatterns: queries.piiPatterns,
});

/** Composes saved queries, their versions and previews. */
export function composeQueries(
  infra: Infrastructure,
  {
    requests,
    ...deps
  }: {
    readonly runSql: RunSql;
    readonly openDataSources: OpenDataSources;
    readonly requests: ChangeRequests;
  },
): QueriesModule {
  const { database, audit, settings } = infra;
  const ownRuns = createOwnRunsService({ database, rights: projectRights, log: infra.log });
  const queries = createQueriesService({
    keeping: ownRuns.keeping,
    database,
    rights: projectRights,
    audit,
    approvals: createSaveApprovals({ requests, isCovered: settings.coversQueries }),
    ...deps,
    limits: executionLimits(settings),
    masking: maskingOf(settings),
  });
  const versions = createQueryVersionsService({ database, rights: projectRights, queries });
  const folders = createQueryFoldersService({ database, rights: projectRights, audit });
  const tools = createQueryToolsService({
    database,
    rights: projectRights,
    audit,
    mcpIn: mcpStates(settings.mcp.governance, settings.mcp.isEnabled),
    isFollowing: settings.coversQueries,
  });
  return {
    queries,
    tools,
    planQuery: (executor, queryId) => planSavedQuery(executor, queryId, deps.openDataSources),
    routes: [
      ...ownRunRoutes(ownRuns),
      ...queryRoutes(queries),
      ...queryVersionRoutes(versions, queries.live),
      ...queryFolderRoutes(folders),
      ...queryToolRoutes(tools),
    ],
  };
}
