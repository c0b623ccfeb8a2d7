import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { BigId, Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

const tag = 'migrations';
const nameLengthMax = 200;
const identifierLengthMax = 128;
const sqlLengthMax = 100_000;
const columnsMax = 1_000;
const rejectedRowsLimit = 10_000;
const dayMinutes = 1_440;
const weekSeconds = 604_800;

export const migrationModes = ['Insert', 'Upsert', 'Truncate', 'Sync'] as const;
export const migrationStatuses = [
  'Queued',
  'Running',
  'Completed',
  'PartialSuccess',
  'Failed',
  'Cancelled',
] as const;
export type MigrationStatus = (typeof migrationStatuses)[number];
export const migrationStages = ['Validating', 'Copying', 'Applying', 'Committing'] as const;
export const migrationReasons = [
  'source-failed',
  'destination-failed',
  'rejected-rows',
  'key-not-unique',
  'empty-source',
  'too-many-deletes',
  'schema-changed',
  'writes-closed',
  'timeout',
  'cancelled',
  'outcome-unknown',
] as const;
export type MigrationReason = (typeof migrationReasons)[number];

const Identifier = NonBlank(identifierLengthMax);
const Count = Type.Integer({ minimum: 0 });

const members = {
  name: NonBlank(nameLengthMax),
  description: nullable(Type.String({ maxLength: 2_000 })),
  dataSourceId: Id,
  source: Type.Union([
    Type.Object({ kind: wordOf(['Query']), sql: NonBlank(sqlLengthMax) }),
    Type.Object({ kind: wordOf(['Table']), schema: Identifier, table: Identifier }),
  ]),
  destinationDataSourceId: Id,
  destination: Type.Object({ schema: Identifier, table: Identifier }),
  createsTable: Type.Boolean({ description: 'Creates the table if it does not exist.' }),
  mode: wordOf(migrationModes),
  keyColumns: Type.Array(Identifier, {
    maxItems: 32,
    description: 'Columns that identify a row; empty: the primary key of the destination.',
  }),
  columns: nullable(
    Type.Array(Type.Object({ from: Identifier, to: Identifier }), {
      minItems: 1,
      maxItems: columnsMax,
      description: 'Mapping of source columns to destination columns; null: by equal names.',
    }),
  ),
  incremental: nullable(
    Type.Object({
      column: Identifier,
      lookbackSeconds: Type.Integer({ minimum: 0, maximum: weekSeconds }),
    }),
  ),
  personalData: wordOf(['Refuse', 'Mask', 'Copy']),
  onRejectedRow: wordOf(['Fail', 'Skip']),
  rejectedRowsMax: Type.Integer({ minimum: 0, maximum: rejectedRowsLimit }),
  minimumSourceRows: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  deletedShareMax: Type.Number({ minimum: 0, maximum: 1 }),
  cronExpression: nullable(Type.String({ minLength: 1, maxLength: 200 })),
  timeZone: nullable(Type.String({ minLength: 1, maxLength: 64 })),
  isEnabled: Type.Boolean({ description: 'The schedule starts copies.' }),
  retriesMax: Type.Integer({ minimum: 0, maximum: 10 }),
  timeoutMinutes: Type.Integer({ minimum: 1, maximum: dayMinutes }),
};

/** Settings of a job. An omitted member gets the default of its kind. */
export const MigrationJobInput = Type.Object({
  name: members.name,
  description: Type.Optional(members.description),
  dataSourceId: members.dataSourceId,
  source: members.source,
  destinationDataSourceId: members.destinationDataSourceId,
  destination: members.destination,
  createsTable: Type.Optional(members.createsTable),
  mode: members.mode,
  keyColumns: Type.Optional(members.keyColumns),
  columns: Type.Optional(members.columns),
  incremental: Type.Optional(members.incremental),
  personalData: Type.Optional(members.personalData),
  onRejectedRow: Type.Optional(members.onRejectedRow),
  rejectedRowsMax: Type.Optional(members.rejectedRowsMax),
  minimumSourceRows: Type.Optional(members.minimumSourceRows),
  deletedShareMax: Type.Optional(members.deletedShareMax),
  cronExpression: Type.Optional(members.cronExpression),
  timeZone: Type.Optional(members.timeZone),
  isEnabled: Type.Optional(members.isEnabled),
  retriesMax: Type.Optional(members.retriesMax),
  timeoutMinutes: Type.Optional(members.timeoutMinutes),
});
export type MigrationJobInput = Static<typeof MigrationJobInput>;

export const MigrationJob = Type.Object(
  {
    id: Id,
    ...members,
    ownerUserId: nullable(Id),
    ownerName: nullable(Type.String()),
    dataSourceName: Type.String(),
    destinationDataSourceName: Type.String(),
    isRunning: Type.Boolean(),
    /** Due times of the last outage whose copies did not start in time. */
    missed: nullable(Type.Object({ firstDueAt: Time, lastDueAt: Time, count: Type.Integer({ minimum: 1 }) })),
    lastExecution: nullable(Type.Object({ id: BigId, status: wordOf(migrationStatuses), createdTime: Time })),
    createdTime: Time,
    updatedAt: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'MigrationJob' },
);
export type MigrationJob = Static<typeof MigrationJob>;

export const MigrationExecution = Type.Object(
  {
    id: BigId,
    migrationJobId: Id,
    name: Type.String({ description: 'Name of the job at the start of the copy.' }),
    status: wordOf(migrationStatuses),
    stage: nullable(wordOf(migrationStages)),
    reason: nullable(wordOf(migrationReasons)),
    message: nullable(Type.String()),
    trigger: wordOf(['Schedule', 'Manual', 'Retry']),
    isTrial: Type.Boolean(),
    attempt: Type.Integer({ minimum: 1 }),
    retryOf: nullable(BigId),
    rowsRead: Count,
    bytesRead: Count,
    estimatedRows: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Row estimate of the source’s engine; null if it gave none.',
      }),
    ),
    rowsInserted: Count,
    rowsUpdated: Count,
    rowsUnchanged: Count,
    rowsDeleted: Count,
    rowsRejected: Count,
    unmaskedColumns: Type.Array(Type.String()),
    watermark: nullable(Type.String()),
    startedByUserId: nullable(Id),
    jobId: nullable(Type.String()),
    traceId: nullable(Type.String()),
    createdTime: Time,
    startedAt: nullable(Time),
    finishedAt: nullable(Time),
  },
  { $id: 'MigrationExecution' },
);
export type MigrationExecution = Static<typeof MigrationExecution>;

/** Obstacles of a copy. */
export const MigrationValidation = Type.Object({
  isOk: Type.Boolean(),
  issues: Type.Array(
    Type.Object({
      severity: wordOf(['Error', 'Warning']),
      code: Type.String(),
      column: nullable(Type.String()),
      message: Type.String(),
    }),
  ),
  mapping: Type.Array(
    Type.Object({
      from: Type.String(),
      to: Type.String(),
      fromType: Type.String(),
      toType: Type.String(),
      isPersonal: Type.Boolean(),
      isMasked: Type.Boolean(),
    }),
  ),
  keyColumns: Type.Array(Type.String()),
  estimatedRows: nullable(Type.Number()),
  targetRows: nullable(Type.Number()),
  destinationExists: Type.Boolean({ description: 'False: the copy creates the table, or is refused.' }),
});
export type MigrationValidation = Static<typeof MigrationValidation>;

const jobs = '/svc/api/migrations/jobs';
const executions = '/svc/api/migrations/executions';
const reads = access.administerRead('MigrationOperator');
const acts = access.administer('MigrationOperator');
const onlyAdminsCopy = { 403: 'Only an Admin may copy personal data unmasked.' } as const;
const Started = Type.Object({ executionId: BigId, jobId: nullable(Type.String()) });
const ExecutionParams = Type.Object({ id: BigId });

export const MigrationDataSource = Type.Object(
  {
    id: Id,
    name: Type.String(),
    engine: Type.String(),
    canWrite: Type.Boolean({ description: 'The engine supports writing, and an Admin allows it.' }),
  },
  { $id: 'MigrationDataSource' },
);
export type MigrationDataSource = Static<typeof MigrationDataSource>;

const searched = Type.Object({
  ...listQuery,
  search: Type.Optional(Type.String({ maxLength: nameLengthMax, description: 'Part of the name.' })),
});

export const listMigrationDataSources = defineEndpoint({
  operationId: 'listMigrationDataSources',
  tag,
  summary: 'Lists the data sources that a job can read, and whether it may write to them',
  method: 'GET',
  path: '/svc/api/migrations/data-sources',
  query: searched,
  responses: { 200: pageOf(MigrationDataSource) },
  access: reads,
});

/** Sort names: `name`, `createdTime`, `updatedAt`; default `name`. */
export const listMigrationJobs = defineEndpoint({
  operationId: 'listMigrationJobs',
  tag,
  summary: 'Lists the data migration jobs',
  method: 'GET',
  path: jobs,
  query: searched,
  responses: { 200: pageOf(MigrationJob) },
  access: reads,
});

export const createMigrationJob = defineEndpoint({
  operationId: 'createMigrationJob',
  tag,
  summary: 'Creates a job; does not copy anything yet',
  method: 'POST',
  path: jobs,
  body: MigrationJobInput,
  responses: { 201: MigrationJob },
  sends: ['ETag', 'Location'],
  access: acts,
  refusals: { ...onlyAdminsCopy, 404: 'A data source does not exist.' },
});

export const getMigrationJob = defineEndpoint({
  operationId: 'getMigrationJob',
  tag,
  summary: 'Reads a job',
  method: 'GET',
  path: `${jobs}/{id}`,
  params: IdParams,
  responses: { 200: MigrationJob },
  sends: ['ETag'],
  access: reads,
});

export const updateMigrationJob = defineEndpoint({
  operationId: 'updateMigrationJob',
  tag,
  summary: 'Replaces a job; running copies continue with the old settings',
  method: 'PUT',
  path: `${jobs}/{id}`,
  params: IdParams,
  body: MigrationJobInput,
  responses: { 200: MigrationJob },
  edits: 'MigrationJob',
  sends: ['ETag'],
  access: acts,
  refusals: { ...onlyAdminsCopy, 412: 'If-Match names an earlier version of the record.' },
});

export const archiveMigrationJob = defineEndpoint({
  operationId: 'archiveMigrationJob',
  tag,
  summary: 'Archives a job that is not running; its history remains',
  method: 'DELETE',
  path: `${jobs}/{id}`,
  params: IdParams,
  responses: { 204: null },
  edits: 'MigrationJob',
  access: acts,
  refusals: { 409: 'The job is running.' },
});

export const validateMigrationJob = defineEndpoint({
  operationId: 'validateMigrationJob',
  tag,
  summary: 'Checks the source and the destination of a job; writes nothing',
  method: 'POST',
  path: `${jobs}/{id}/validate`,
  params: IdParams,
  responses: { 200: MigrationValidation },
  access: acts,
  refusals: { 424: 'A data source is unavailable.' },
});

export const runMigrationJob = defineEndpoint({
  operationId: 'runMigrationJob',
  tag,
  summary: 'Starts a copy, or a trial copy of the first rows, which is rolled back',
  method: 'POST',
  path: `${jobs}/{id}/run`,
  params: IdParams,
  body: Type.Object({ isTrial: Type.Optional(Type.Boolean()) }),
  responses: { 202: Started },
  sends: ['Location'],
  access: acts,
  refusals: {
    ...onlyAdminsCopy,
    409: 'The job is already running, or the destination does not allow writes.',
  },
});

/** Sort names: `createdTime`; default newest first. */
export const listMigrationExecutions = defineEndpoint({
  operationId: 'listMigrationExecutions',
  tag,
  summary: 'Lists copies and their results',
  method: 'GET',
  path: executions,
  query: Type.Object({
    ...listQuery,
    migrationJobId: Type.Optional(Id),
    status: Type.Optional(wordOf(migrationStatuses)),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
  responses: { 200: pageOf(MigrationExecution) },
  readsLate: true,
  access: reads,
});

export const getMigrationExecution = defineEndpoint({
  operationId: 'getMigrationExecution',
  tag,
  summary: 'Reads a copy with its progress',
  method: 'GET',
  path: `${executions}/{id}`,
  params: ExecutionParams,
  responses: { 200: MigrationExecution, 304: null },
  sends: ['ETag'],
  access: reads,
});

export const cancelMigrationExecution = defineEndpoint({
  operationId: 'cancelMigrationExecution',
  tag,
  summary: 'Cancels a copy and rolls it back, unless it has already committed',
  method: 'POST',
  path: `${executions}/{id}/cancel`,
  params: ExecutionParams,
  responses: { 202: Started },
  access: acts,
  refusals: { 409: 'The copy has ended.' },
});

export const retryMigrationExecution = defineEndpoint({
  operationId: 'retryMigrationExecution',
  tag,
  summary: 'Starts a failed or cancelled copy again, with the current settings of the job',
  method: 'POST',
  path: `${executions}/{id}/retry`,
  params: ExecutionParams,
  responses: { 202: Started },
  sends: ['Location'],
  access: acts,
  refusals: {
    ...onlyAdminsCopy,
    409: 'The copy did not fail, the job is running, or the destination does not allow writes.',
  },
});

export const listRejectedRows = defineEndpoint({
  operationId: 'listRejectedRows',
  tag,
  summary: 'Lists rows that a copy could not write: only number, key, column and code of each',
  method: 'GET',
  path: `${executions}/{id}/rejected`,
  params: ExecutionParams,
  query: Type.Object(listQuery),
  responses: {
    200: pageOf(
      Type.Object({
        rowNumber: Type.Integer({ minimum: 1 }),
        key: nullable(Type.String()),
        column: nullable(Type.String()),
        code: Type.String(),
      }),
    ),
  },
  readsLate: true,
  access: reads,
});
