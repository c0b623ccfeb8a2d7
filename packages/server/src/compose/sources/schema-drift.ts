import type { Jobs } from '@svc/jobs';
import type { NoticesService } from '../../domains/notices/index.ts';
import { createDriftJobs, createDriftService, schemaChangeRoutes } from '../../domains/schema-drift/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from './data-sources.ts';
import type { QueriesModule } from './queries.ts';

/** Minimum age of the last refresh. A more recent manual refresh replaces the due one. */
const refreshPauseSeconds = 60;

/** Composes schema drift: changes in the schemas of data sources, and their effects on the saved queries. */
export function composeSchemaDrift(
  { database, settings }: Infrastructure,
  deps: {
    readonly jobs: Jobs;
    readonly sources: Pick<DataSourcesModule, 'refreshDue'>;
    readonly queries: Pick<QueriesModule, 'planQuery' | 'queries'>;
    readonly notices: NoticesService;
  },
): Module {
  const { jobs, sources, queries, notices } = deps;
  const drift = createDriftService({
    database,
    planQuery: queries.planQuery,
    preflight: queries.queries.preflightPlanned,
    tellPeople: notices.tellPeople,
    tellResponsible: notices.tellResponsible,
  });
  const work = createDriftJobs({
    jobs,
    due: drift.due,
    check: drift.check,
    refresh: (dataSourceId) => sources.refreshDue(dataSourceId, refreshPauseSeconds),
  });
  return {
    routes: schemaChangeRoutes(drift),
    start: async () => {
      if (settings.process.runsJobs) await work.start();
    },
  };
}
