import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { rateLimits } from '../../rate-limits.ts';
import { Id, IdParams, listQuery, mapOf, NonBlank, nullable, pageOf, Time } from '../../shapes.ts';

const tag = 'data-sources';
const nameLengthMax = 200;
const descriptionLengthMax = 2_000;
const schemaNameLengthMax = 200;
const schemaNamesMax = 200;

const schemaNames = Type.Array(NonBlank(schemaNameLengthMax), { maxItems: schemaNamesMax });

/** Settings of the metadata refresh. */
export const MetadataOptions = Type.Object({
  isEnabled: Type.Boolean({ description: 'Whether metadata is read.' }),
  maxTables: nullable(Type.Integer({ minimum: 1, maximum: 5_000 })),
  maxColumnsPerTable: nullable(Type.Integer({ minimum: 1, maximum: 1_000 })),
  tableNamesOnly: Type.Boolean(),
  includeSchemas: schemaNames,
  excludeSchemas: schemaNames,
  refreshEveryHours: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 744,
      description:
        'Hours between automatic refreshes of the metadata; null: no automatic refresh. Default 24.',
    }),
  ),
});
export type MetadataOptions = Static<typeof MetadataOptions>;

/**
 * Settings of a connection, named as in the engine's form: `host`, `port`, `database`, `user`, `password`, `tlsMode`,
 * `caCertificate`. PostgreSQL and MySQL add `acceptPrivilegedLogin`; engines that read files have `file` or `files`.
 */
export const ConnectionSettings = mapOf(Type.Unknown(), { nameLengthMax: 100, sizeMax: 50 });

export const DataSource = Type.Object({
  id: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  engine: Type.String({
    description:
      'PostgreSQL, MySQL (also for MariaDB), SQLite, DuckDB, SqlServer, ClickHouse, BigQuery, Snowflake, Databricks, Rest.',
  }),
  connection: nullable(
    mapOf(Type.Unknown(), {
      description:
        'Settings without secrets. Lists also omit documents such as `openApi`. Null for callers who do not administer data sources.',
    }),
  ),
  savedSecrets: Type.Array(Type.String(), {
    description:
      'Names of saved settings whose values are never returned. Empty for callers who do not administer data sources.',
  }),
  needsConnection: Type.Boolean({
    description: 'The stored connection can no longer be decrypted. Enter it again.',
  }),
  warnings: Type.Array(
    Type.Object({ code: Type.String(), message: Type.String(), remedy: nullable(Type.String()) }),
    {
      description:
        '`privileged-login`: the source was saved before such logins were refused, and still runs. `remedy` is the SQL that creates a read-only role. Empty for callers who do not administer data sources.',
    },
  ),
  metadataOptions: MetadataOptions,
  isOpenlyReachable: Type.Boolean({ description: 'The data source is linked to at least one open project.' }),
  queryCount: Type.Integer({
    minimum: 0,
    description: 'Queries that use it, are not archived and are in projects that the caller can read.',
  }),
  areMigrationWritesAllowed: Type.Boolean({ description: 'Data migration may write to it.' }),
  isDemo: Type.Boolean(),
  createdTime: Time,
  updatedAt: Time,
  version: Type.Integer({ minimum: 1 }),
});
export type DataSource = Static<typeof DataSource>;

/** Result of a connection test. */
export const ConnectionTestResult = Type.Object({
  ok: Type.Boolean(),
  message: Type.String({ description: 'The server and its version, or the failure.' }),
  code: nullable(Type.String({ description: 'Stable code of the failure; null if the test succeeded.' })),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  next: nullable(Type.String({ description: 'Steps to fix the failure; null if the test succeeded.' })),
  remedy: nullable(
    Type.String({
      description:
        'If the login has more rights than reading: SQL that creates a read-only role, to copy; else null.',
    }),
  ),
});
export type ConnectionTestResult = Static<typeof ConnectionTestResult>;

const ColumnShape = Type.Object({
  name: Type.String(),
  databaseType: Type.String(),
  isNullable: Type.Boolean(),
  defaultValue: nullable(Type.String()),
  comment: nullable(Type.String()),
});
const ForeignKeyShape = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  toSchema: Type.String(),
  toTable: Type.String(),
  toColumns: Type.Array(Type.String()),
});
const IndexShape = Type.Object({
  name: Type.String(),
  isUnique: Type.Boolean(),
  isPrimary: Type.Boolean(),
  columns: Type.Array(Type.String()),
});
const TableShape = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  type: Type.Unsafe<'Table' | 'View'>({ type: 'string', enum: ['Table', 'View'] }),
  comment: nullable(Type.String()),
  columns: Type.Array(ColumnShape),
  primaryKey: Type.Array(Type.String()),
  foreignKeys: Type.Array(ForeignKeyShape),
  indexes: Type.Array(IndexShape),
});

/** Tables of a source as of the last refresh. `refreshedAt` is null when metadata is off. */
export const DataSourceMetadata = Type.Object({
  dataSourceId: Id,
  engine: Type.String(),
  refreshedAt: nullable(Time),
  schemas: Type.Array(Type.String()),
  tables: Type.Array(TableShape),
  areTablesCut: Type.Boolean({ description: 'A limit omitted tables.' }),
  areColumnsCut: Type.Boolean({ description: 'A limit omitted columns.' }),
});
export type DataSourceMetadata = Static<typeof DataSourceMetadata>;

const name = NonBlank(nameLengthMax);
const description = nullable(Type.String({ maxLength: descriptionLengthMax }));
const metadataOptions = Type.Optional(
  Type.Object({
    isEnabled: Type.Optional(MetadataOptions.properties.isEnabled),
    maxTables: Type.Optional(MetadataOptions.properties.maxTables),
    maxColumnsPerTable: Type.Optional(MetadataOptions.properties.maxColumnsPerTable),
    tableNamesOnly: Type.Optional(MetadataOptions.properties.tableNamesOnly),
    includeSchemas: Type.Optional(schemaNames),
    excludeSchemas: Type.Optional(schemaNames),
    refreshEveryHours: Type.Optional(MetadataOptions.properties.refreshEveryHours),
  }),
);
const changedMeanwhile = { 412: 'If-Match names an earlier version of the record.' } as const;
const badConnection =
  'The settings are not valid, the destination is not allowed (such as the service’s own database), or the login has too many rights.';
const sourceFailed = {
  422: 'The data source did not answer in time.',
  424: 'The data source is unavailable or refuses the connection.',
} as const;

/** Data sources that the caller can read. Sort names: `name`, `engine`, `createdTime`, `updatedAt`; default `name`. */
export const listDataSources = defineEndpoint({
  operationId: 'listDataSources',
  tag,
  summary: 'Lists the data sources linked to a project that the caller can read',
  method: 'GET',
  path: '/svc/api/data-sources',
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({
        maxLength: nameLengthMax,
        description: 'Part of the name. Upper and lower case count as equal.',
      }),
    ),
    projectId: Type.Optional(Id),
    hasWarnings: Type.Optional(
      Type.Boolean({
        description:
          'True: only data sources with warnings. False: only those without. Only warnings that the caller can see count.',
      }),
    ),
  }),
  responses: { 200: pageOf(DataSource) },
  access: access.read({ or: ['DataSourceAdmin'] }),
});

/** Engines of this installation with the JSON Schema of their connections, for forms. */
export const listDataSourceEngines = defineEndpoint({
  operationId: 'listDataSourceEngines',
  tag,
  summary: 'Lists the available engines and the settings of their connections',
  method: 'GET',
  path: '/svc/api/data-sources/engines',
  responses: {
    200: Type.Object({
      engines: Type.Array(
        Type.Object({
          engine: Type.String(),
          label: Type.String(),
          settingsSchema: mapOf(Type.Unknown(), { description: 'JSON Schema 2020-12.' }),
          secretFields: Type.Array(Type.String()),
        }),
      ),
    }),
  },
  access: access.administerRead('DataSourceAdmin'),
});

export const CreateDataSourceBody = Type.Object({
  name,
  description: Type.Optional(description),
  engine: NonBlank(50),
  connection: ConnectionSettings,
  metadataOptions,
});

export const createDataSource = defineEndpoint({
  operationId: 'createDataSource',
  tag,
  summary:
    'Creates a data source. The connection is tested once; the data source is saved even if its server does not answer',
  method: 'POST',
  path: '/svc/api/data-sources',
  body: CreateDataSourceBody,
  responses: { 201: DataSource },
  sends: ['ETag', 'Location'],
  access: access.administer('DataSourceAdmin'),
  refusals: { 400: badConnection },
});

export const getDataSource = defineEndpoint({
  operationId: 'getDataSource',
  tag,
  summary: 'Reads a data source',
  method: 'GET',
  path: '/svc/api/data-sources/{id}',
  params: IdParams,
  responses: { 200: DataSource },
  sends: ['ETag'],
  access: access.read({ project: 'readable' }),
});

export const UpdateDataSourceBody = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  connection: Type.Optional(ConnectionSettings),
  metadataOptions,
});

export const updateDataSource = defineEndpoint({
  operationId: 'updateDataSource',
  tag,
  summary: 'Changes a data source; a changed connection needs its secrets again',
  method: 'PATCH',
  path: '/svc/api/data-sources/{id}',
  params: IdParams,
  body: UpdateDataSourceBody,
  responses: { 200: DataSource },
  edits: 'DataSource',
  sends: ['ETag'],
  access: access.administer('DataSourceAdmin'),
  refusals: { 400: badConnection, ...changedMeanwhile },
});

export const archiveDataSource = defineEndpoint({
  operationId: 'archiveDataSource',
  tag,
  summary: 'Archives a data source that no query uses',
  method: 'DELETE',
  path: '/svc/api/data-sources/{id}',
  params: IdParams,
  responses: { 204: null },
  edits: 'DataSource',
  access: access.administer('DataSourceAdmin'),
  refusals: {
    409: 'Queries use the data source. `detail` names the queries that the caller can read.',
    ...changedMeanwhile,
  },
});

export const testDataSource = defineEndpoint({
  operationId: 'testDataSource',
  tag,
  summary: 'Tests the saved connection of a data source',
  method: 'POST',
  path: '/svc/api/data-sources/{id}/test',
  params: IdParams,
  responses: { 200: ConnectionTestResult },
  access: access.administer('DataSourceAdmin'),
});

export const testConnection = defineEndpoint({
  operationId: 'testConnection',
  tag,
  summary: 'Tests a connection that is not saved',
  method: 'POST',
  path: '/svc/api/data-sources/test-connection',
  body: Type.Object({ engine: NonBlank(50), connection: ConnectionSettings }),
  responses: { 200: ConnectionTestResult },
  access: access.administer('DataSourceAdmin'),
});

export const getDataSourceMetadata = defineEndpoint({
  operationId: 'getDataSourceMetadata',
  tag,
  summary: 'Reads the stored tables of a data source; if none are stored, reads them from the source',
  method: 'GET',
  path: '/svc/api/data-sources/{id}/metadata',
  params: IdParams,
  responses: { 200: DataSourceMetadata },
  access: access.run({ project: 'readable' }),
  refusals: sourceFailed,
});

/** Closing also ends writes in progress. */
export const setMigrationWrites = defineEndpoint({
  operationId: 'setMigrationWrites',
  tag,
  summary: 'Allows or forbids data migration to write to a data source',
  method: 'PUT',
  path: '/svc/api/data-sources/{id}/migration-writes',
  params: IdParams,
  body: Type.Object({ isAllowed: Type.Boolean() }),
  responses: { 204: null },
  access: access.administer(),
});

export const refreshDataSourceMetadata = defineEndpoint({
  operationId: 'refreshDataSourceMetadata',
  tag,
  summary: 'Reads the tables of a data source again, at most once in 30 seconds',
  method: 'POST',
  path: '/svc/api/data-sources/{id}/refresh-metadata',
  params: IdParams,
  responses: { 200: DataSourceMetadata },
  access: access.write({ project: 'writable' }),
  rateLimit: rateLimits.refreshMetadata,
  refusals: {
    409: 'Metadata is disabled for this data source.',
    429: 'The metadata was refreshed less than 30 seconds ago.',
    ...sourceFailed,
  },
});
