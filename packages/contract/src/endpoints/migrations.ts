import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BigId, Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../shapes.ts';

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
  createsTable: Type.Boolean({ description: 'Make the table when it is not there.' }),
  mode: wordOf(migrationModes),
  keyColumns: Type.Array(Identifier, {
    maxItems: 32,
    description: 'By which rows are told apart; empty: the primary key of the destination.',
  }),
  columns: nullable(
    Type.Array(Type.Object({ from: Identifier, to: Identifier }), {
      minItems: 1,
      maxItems: columnsMax,
      description: 'Which column goes where; null: by name.',
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
  isEnabled: Type.Boolean({ description: 'The schedule fires.' }),
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
    name: Type.String({ description: 'What the job was called when this began.' }),
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
        description: 'What the source’s engine meant to read; null where it did not say.',
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
  destinationExists: Type.Boolean({ description: 'False: the copy would make the table, or be refused.' }),
});
export type MigrationValidation = Static<typeof MigrationValidation>;

const jobs = '/svc/api/migrations/jobs';
const executions = '/svc/api/migrations/executions';
const reads = access.administerRead('MigrationOperator');
const acts = access.administer('MigrationOperator');
const onlyAdminsCopy = { 403: 'Copying personal data as it is needs an Admin.' } as const;
const Started = Type.Object({ executionId: BigId, jobId: nullable(Type.String()) });
const ExecutionParams = Type.Object({ id: BigId });

export const MigrationDataSource = Type.Object(
  {
    id: Id,
    name: Type.String(),
    engine: Type.String(),
    canWrite: Type.Boolean({ description: 'The engine can be written to, and an Admin allows it.' }),
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
  summary: 'Lists the jobs of data migration',
  method: 'GET',
  path: jobs,
  query: searched,
  responses: { 200: pageOf(MigrationJob) },
  access: reads,
});

export const createMigrationJob = defineEndpoint({
  operationId: 'createMigrationJob',
  tag,
  summary: 'Saves a job; nothing is copied yet',
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
  summary: 'Replaces a job; what runs goes on as it began',
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
  summary: 'Archives a job that does not run; its history stays',
  method: 'DELETE',
  path: `${jobs}/{id}`,
  params: IdParams,
  responses: { 204: null },
  edits: 'MigrationJob',
  access: acts,
  refusals: { 409: 'It runs.' },
});

export const validateMigrationJob = defineEndpoint({
  operationId: 'validateMigrationJob',
  tag,
  summary: 'Tells what a copy would meet at both sides; writes nothing',
  method: 'POST',
  path: `${jobs}/{id}/validate`,
  params: IdParams,
  responses: { 200: MigrationValidation },
  access: acts,
  refusals: { 424: 'A data source cannot be asked.' },
});

export const runMigrationJob = defineEndpoint({
  operationId: 'runMigrationJob',
  tag,
  summary: 'Starts a copy, or a trial of its first rows that is rolled back',
  method: 'POST',
  path: `${jobs}/{id}/run`,
  params: IdParams,
  body: Type.Object({ isTrial: Type.Optional(Type.Boolean()) }),
  responses: { 202: Started },
  sends: ['Location'],
  access: acts,
  refusals: { ...onlyAdminsCopy, 409: 'It runs already, or the destination is closed to writes.' },
});

/** Sort names: `createdTime`; default newest first. */
export const listMigrationExecutions = defineEndpoint({
  operationId: 'listMigrationExecutions',
  tag,
  summary: 'Lists what was copied, and how it went',
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
  summary: 'Ends a copy and rolls it back, unless it has committed by then',
  method: 'POST',
  path: `${executions}/{id}/cancel`,
  params: ExecutionParams,
  responses: { 202: Started },
  access: acts,
  refusals: { 409: 'It has ended.' },
});

export const retryMigrationExecution = defineEndpoint({
  operationId: 'retryMigrationExecution',
  tag,
  summary: 'Starts a copy anew that failed or was cancelled, as the job is now',
  method: 'POST',
  path: `${executions}/{id}/retry`,
  params: ExecutionParams,
  responses: { 202: Started },
  sends: ['Location'],
  access: acts,
  refusals: { ...onlyAdminsCopy, 409: 'It did not fail, or the job runs, or the destination is closed.' },
});

export const listRejectedRows = defineEndpoint({
  operationId: 'listRejectedRows',
  tag,
  summary: 'Lists rows that a copy could not write: number, key, column and code, and nothing else of them',
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
