import { readDatabaseIdentity } from '@svc/connectors';
import type { Jobs } from '@svc/jobs';
import {
  createEndCopy,
  createMigrationExecutionsService,
  createMigrationJobs,
  createMigrationPreviewsService,
  createMigrationSchedule,
  createMigrationsService,
  createMissedCopies,
  createStarting,
  ignoreMigrationTicks,
  type MigrationsService,
  migrationRoutes,
} from '../../domains/data-migration/index.ts';
import type { TellResponsible } from '../../domains/notices/index.ts';
import { startedBy } from '../../domains/realtime/index.ts';
import { createSchedules } from '../../domains/subscriptions/index.ts';
import { type CopyData, createCopyData } from '../../gateways/copy-data/index.ts';
import type { AdministrationModule } from '../administration.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { Watchdogs } from '../runs/watchdogs.ts';
import type { DataSourcesModule } from './data-sources.ts';
import type { RunSqlGateway } from './run-sql-gateway.ts';

/** Interval of the watchdog's check. */
const lookEveryMs = 60_000;

type Notices = { readonly tellResponsible: TellResponsible };

export type DataMigrationModule = Module & {
  /** Undefined while data migration is off. */
  readonly migrations?: MigrationsService;
};

/**
 * Composes copies between data sources, and the only gateway that writes to them. Empty while data migration is
 * off.
 */
export async function composeDataMigration(
  infra: Infrastructure,
  deps: {
    readonly jobs: Jobs;
    readonly gateway: Pick<RunSqlGateway, 'connectors' | 'runSql'>;
    readonly sources: Pick<DataSourcesModule, 'openDataSources' | 'snapshotOf'>;
    readonly notices: Notices;
    readonly adminSettings: AdministrationModule['adminSettings'];
    readonly watchdogs: Watchdogs;
  },
): Promise<DataMigrationModule> {
  const { database, audit, settings, clock, log } = infra;
  const { jobs, adminSettings } = deps;
  const { openDataSources } = deps.sources;
  const { tellResponsible } = deps.notices;
  if (!settings.migrationsEnabled) {
    ignoreMigrationTicks(jobs);
    return {};
  }
  const copyData = await openCopyDataGateway(infra, deps.gateway);
  const opening = { openDataSources, personalPatterns: settings.queries.piiPatterns };
  const schedules = createSchedules({
    minimumIntervalSeconds: settings.subscriptions.minimumIntervalSeconds,
    defaultTimeZone: async () => (await adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
    now: () => clock.now(),
  });
  const starting = createStarting({ jobs, startedBy });
  const end = createEndCopy({ database, audit, tellResponsible, starting });
  const executions = createMigrationExecutionsService({
    ...opening,
    database,
    audit,
    log,
    copyData,
    starting,
    end,
  });
  const migrations = createMigrationsService({
    ...opening,
    database,
    audit,
    copyData,
    setSchedule: createMigrationSchedule(jobs),
    explainSchedule: schedules.explain,
  });
  const watch = watchCopies(infra, deps);
  const work = createMigrationJobs({ jobs, executions });
  return {
    migrations,
    routes: migrationRoutes({
      migrations,
      executions,
      previews: createMigrationPreviewsService({
        ...opening,
        database,
        audit,
        copyData,
        runSql: deps.gateway.runSql,
        snapshotOf: deps.sources.snapshotOf,
      }),
    }),
    start: async () => {
      watch.start();
      if (settings.process.runsJobs) await work.start();
    },
    close: watch.close,
  };
}

/** Creates the watchdog of copies that do not start. */
function watchCopies(
  { log, settings }: Infrastructure,
  { watchdogs, notices }: { readonly watchdogs: Watchdogs; readonly notices: Notices },
) {
  const { missedRunGraceSeconds: graceSeconds } = settings.subscriptions;
  const { database, repeat } = watchdogs;
  const { check } = createMissedCopies({
    database,
    log,
    graceSeconds,
    tellResponsible: notices.tellResponsible,
  });
  return repeat({ name: 'missed copies', everyMs: lookEveryMs, look: check });
}

/** Opens the only write gateway to data sources. It never writes to the service's own database. */
const openCopyDataGateway = async (
  { database, outbound }: Infrastructure,
  { connectors }: Pick<RunSqlGateway, 'connectors'>,
): Promise<CopyData> =>
  createCopyData({
    connectors,
    dial: (target, options) => outbound.dialSocket(target, options),
    ownDatabases: [await readDatabaseIdentity(database.pool)],
  });
