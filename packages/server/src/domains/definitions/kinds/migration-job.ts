import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { assertMayCopy, definitionOf, type MigrationsService } from '../../data-migration/index.ts';
import type { SubscriptionsService } from '../../subscriptions/index.ts';
import { everyPage, shortened } from './canonical.ts';
import { defineKind, type Input, type LiveRecord, noSecrets, type Reference, type SlugOf } from './kind.ts';
import { fileSchema } from './shapes.ts';

const {
  name,
  description,
  dataSourceId: _dataSourceId,
  source,
  destinationDataSourceId: _destinationDataSourceId,
  destination,
  ...settings
} = contract.MigrationJobInput.properties;
const properties = {
  name,
  description,
  dataSource: contract.Slug,
  source,
  destinationDataSource: contract.Slug,
  destination,
  ...settings,
};
const Shape = Type.Object(properties);
type MigrationDefinition = Static<typeof Shape>;

/** Converts a definition to the request body of the migration routes. */
const bodyOf = (
  { dataSource: _source, destinationDataSource: _destination, ...rest }: MigrationDefinition,
  ids: { readonly dataSourceId: number; readonly destinationDataSourceId: number },
): contract.MigrationJobInput => ({ ...rest, ...ids });

/** Orders the members, because the database stores them in another order. */
const sourceOf = (source: MigrationDefinition['source']): MigrationDefinition['source'] =>
  source.kind === 'Query'
    ? { kind: source.kind, sql: source.sql }
    : { kind: source.kind, schema: source.schema, table: source.table };

/** Ids for the validation of a definition whose references are not resolved. */
const unresolvedIds = { dataSourceId: 1, destinationDataSourceId: 2 };

type ExplainSchedule = SubscriptionsService['explain'];
type MigrationJobKindDeps = {
  /** Undefined while data migration is disabled. */
  readonly migrations: MigrationsService | undefined;
  readonly explainSchedule: ExplainSchedule;
};

/** Removes defaults and orders the members. */
const canonical = async (
  explain: ExplainSchedule,
  job: MigrationDefinition,
): Promise<MigrationDefinition> => {
  const { cronExpression = null, timeZone = null } = job;
  const schedule =
    cronExpression === null
      ? { cronExpression, timeZone }
      : await explain(cronExpression, timeZone ?? undefined);
  const { name, description, source, destination, createsTable, mode, ...others } = definitionOf(
    bodyOf(job, unresolvedIds),
  );
  // Defaults of a definition with only the required members.
  const defaults = definitionOf({ ...unresolvedIds, name, source, destination, mode });
  return shortened(
    {
      name,
      description,
      dataSource: job.dataSource,
      source: sourceOf(source),
      destinationDataSource: job.destinationDataSource,
      destination: { schema: destination.schema, table: destination.table },
      createsTable,
      mode,
      keyColumns: others.keyColumns,
      columns: others.columns?.map(({ from, to }) => ({ from, to })),
      incremental: others.incremental && {
        column: others.incremental.column,
        lookbackSeconds: others.incremental.lookbackSeconds,
      },
      personalData: others.personalData,
      onRejectedRow: others.onRejectedRow,
      rejectedRowsMax: others.rejectedRowsMax,
      minimumSourceRows: others.minimumSourceRows,
      deletedShareMax: others.deletedShareMax,
      cronExpression: schedule.cronExpression,
      timeZone: schedule.timeZone,
      isEnabled: others.isEnabled,
      retriesMax: others.retriesMax,
      timeoutMinutes: others.timeoutMinutes,
    } as MigrationDefinition,
    {
      createsTable: defaults.createsTable,
      keyColumns: [],
      personalData: defaults.personalData,
      onRejectedRow: defaults.onRejectedRow,
      rejectedRowsMax: defaults.rejectedRowsMax,
      minimumSourceRows: defaults.minimumSourceRows,
      deletedShareMax: defaults.deletedShareMax,
      isEnabled: defaults.isEnabled,
      retriesMax: defaults.retriesMax,
      timeoutMinutes: defaults.timeoutMinutes,
    },
  );
};

const references = ({ dataSource, destinationDataSource }: MigrationDefinition): Reference[] => [
  { kind: 'DataSource', slug: dataSource, pointer: '/dataSource' },
  { kind: 'DataSource', slug: destinationDataSource, pointer: '/destinationDataSource' },
];

const fileOf = (
  explain: ExplainSchedule,
  job: contract.MigrationJob,
  slugOf: SlugOf,
): Promise<MigrationDefinition> =>
  canonical(explain, {
    name: job.name,
    description: job.description,
    dataSource: slugOf('DataSource', job.dataSourceId),
    source: job.source,
    destinationDataSource: slugOf('DataSource', job.destinationDataSourceId),
    destination: job.destination,
    createsTable: job.createsTable,
    mode: job.mode,
    keyColumns: job.keyColumns,
    columns: job.columns,
    incremental: job.incremental,
    personalData: job.personalData,
    onRejectedRow: job.onRejectedRow,
    rejectedRowsMax: job.rejectedRowsMax,
    minimumSourceRows: job.minimumSourceRows,
    deletedShareMax: job.deletedShareMax,
    cronExpression: job.cronExpression,
    timeZone: job.timeZone,
    isEnabled: job.isEnabled,
    retriesMax: job.retriesMax,
    timeoutMinutes: job.timeoutMinutes,
  });

const list = async (
  { migrations, explainSchedule }: MigrationJobKindDeps,
  slugOf: SlugOf,
): Promise<LiveRecord<MigrationDefinition>[]> => {
  const jobs = migrations ? await everyPage((page) => migrations.list(page)) : [];
  return Promise.all(
    jobs.map(async (job) => ({
      id: job.id,
      projectId: null,
      version: job.version,
      definition: await fileOf(explainSchedule, job, slugOf),
    })),
  );
};

const inputOf = ({ definition, idOf }: Input<MigrationDefinition>): contract.MigrationJobInput =>
  bodyOf(definition, {
    dataSourceId: idOf('DataSource', definition.dataSource),
    destinationDataSourceId: idOf('DataSource', definition.destinationDataSource),
  });

/** Returns the service. A plan contains no migration jobs while data migration is disabled. */
const serviceOf = ({ migrations }: MigrationJobKindDeps): MigrationsService => {
  if (migrations) return migrations;
  throw new Error('Migration jobs cannot be written while data migration is disabled.');
};

/** Creates the kind of migration jobs, without copied data and watermarks. */
export function migrationJobKind(deps: MigrationJobKindDeps) {
  return defineKind<MigrationDefinition>({
    name: 'MigrationJob',
    schema: fileSchema('MigrationJob', properties),
    readBy: contract.listMigrationJobs,
    ...(!deps.migrations && { unavailable: 'Data migration is off: see Svc:Migrations:Enabled.' }),
    isForKeys: false,
    ...noSecrets,
    canonical: (definition) => canonical(deps.explainSchedule, definition),
    references,
    list: (_caller, _projects, slugOf) => list(deps, slugOf),
    endpoints: ({ before, after }) => [
      after === null
        ? contract.archiveMigrationJob
        : before === null
          ? contract.createMigrationJob
          : contract.updateMigrationJob,
    ],
    mayWrite: (caller, { after }) => {
      if (after) assertMayCopy(caller, { personalData: after.personalData ?? 'Refuse' });
    },
    needsApproval: () => false,
    create: async (by, input) => {
      await serviceOf(deps).create(by, inputOf(input), input.within);
      return { isWaiting: false };
    },
    update: async (by, { id, version }, input) => {
      await serviceOf(deps).update(by, id, inputOf(input), version);
      return { isWaiting: false };
    },
    remove: (by, { id }) => serviceOf(deps).archive(by, id),
  });
}
