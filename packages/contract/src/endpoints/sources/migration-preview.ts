import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { IdParams, nullable, Time, wordOf } from '../../shapes.ts';
import { MigrationJobInput, MigrationValidation } from './migrations.ts';

const tag = 'migrations';
const { properties: job } = MigrationJobInput;

/** Tables of a data source that a job can name. */
export const MigrationTables = Type.Object(
  {
    refreshedAt: nullable(Time),
    schemas: Type.Array(Type.String()),
    tables: Type.Array(
      Type.Object({ schema: Type.String(), name: Type.String(), type: wordOf(['Table', 'View']) }),
    ),
    areTablesCut: Type.Boolean({ description: 'A limit omitted tables, or metadata is disabled.' }),
    fileNames: nullable(Type.Array(Type.String()), {
      description:
        'File names in the settings, including files that do not exist yet. Null: the data source has no files.',
    }),
  },
  { $id: 'MigrationTables' },
);
export type MigrationTables = Static<typeof MigrationTables>;

/** Rows and obstacles of a job that is not saved yet. */
export const MigrationPreview = Type.Object(
  {
    sourceColumns: Type.Array(
      Type.Object({ name: Type.String(), type: Type.String(), isPersonal: Type.Boolean() }),
    ),
    destinationColumns: nullable(
      Type.Array(
        Type.Object({
          name: Type.String(),
          type: Type.String(),
          isNullable: Type.Boolean(),
          isGenerated: Type.Boolean({
            description: 'The server computes the column. A copy cannot write it.',
          }),
        }),
        { description: 'Null: the request names no destination, or the destination does not exist.' },
      ),
    ),
    /** Null: the request names no destination. */
    validation: nullable(MigrationValidation),
    /** The first rows, with personal data masked. Null: the request does not include them. */
    rows: nullable(
      Type.Object({
        columns: Type.Array(
          Type.Object({
            name: Type.String(),
            kind: Type.String(),
            databaseType: Type.String(),
            isMasked: Type.Boolean(),
            maskedReason: nullable(
              Type.String({
                description: 'Reason why the column is masked, and how to change it; null: not masked.',
              }),
            ),
          }),
        ),
        rows: Type.Array(Type.Array(Type.Unknown())),
        isComplete: Type.Boolean({ description: 'False: the source has more rows.' }),
      }),
    ),
  },
  { $id: 'MigrationPreview' },
);
export type MigrationPreview = Static<typeof MigrationPreview>;

/** Settings of a job to preview. Members that are not set yet may be missing. */
export const MigrationPreviewInput = Type.Object({
  dataSourceId: job.dataSourceId,
  source: job.source,
  destinationDataSourceId: Type.Optional(job.destinationDataSourceId),
  destination: Type.Optional(job.destination),
  createsTable: job.createsTable,
  mode: Type.Optional(job.mode),
  keyColumns: job.keyColumns,
  columns: job.columns,
  incremental: job.incremental,
  personalData: job.personalData,
  withRows: Type.Optional(
    Type.Boolean({ description: 'Also returns the first 50 rows, with personal data masked.' }),
  ),
});
export type MigrationPreviewInput = Static<typeof MigrationPreviewInput>;

export const previewMigration = defineEndpoint({
  operationId: 'previewMigration',
  tag,
  summary: 'Previews a job that is not saved: columns, mapping and issues; writes nothing',
  method: 'POST',
  path: '/svc/api/migrations/preview',
  body: MigrationPreviewInput,
  responses: { 200: MigrationPreview },
  access: access.administer('MigrationOperator'),
  refusals: {
    403: 'Only an Admin may copy personal data unmasked.',
    404: 'A data source does not exist.',
    424: 'A data source is unavailable.',
  },
});

export const listMigrationTables = defineEndpoint({
  operationId: 'listMigrationTables',
  tag,
  summary: 'Lists the schemas and tables of a data source as of the last refresh of its metadata',
  method: 'GET',
  path: '/svc/api/migrations/data-sources/{id}/tables',
  params: IdParams,
  responses: { 200: MigrationTables },
  access: access.administerRead('MigrationOperator'),
});
