import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { mapOf, nullable, Time, wordOf } from '../../shapes.ts';

const tag = 'data-files';
const path = '/svc/api/data-sources/files';
const nameLengthMax = 120;

/** A file that a data source may read. */
export const DataFile = Type.Object({
  name: Type.String({ description: 'Path of the file within the allowed folder, e.g. `sales/orders.csv`.' }),
  path: Type.String({ description: 'Absolute path, for the connection of a data source.' }),
  engine: wordOf(['DuckDB', 'SQLite'] as const),
  tableName: Type.String({ description: 'Table name by which statements can read the file.' }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  modifiedAt: Time,
});
export type DataFile = Static<typeof DataFile>;

export const listDataFiles = defineEndpoint({
  operationId: 'listDataFiles',
  tag,
  summary: 'Files in the folders that data sources may read, newest first',
  method: 'GET',
  path,
  responses: {
    200: Type.Object({
      items: Type.Array(DataFile),
      isCut: Type.Boolean({ description: 'More files exist than the response lists.' }),
      folders: Type.Array(Type.String(), {
        description: 'Folders with files of data sources. Uploaded files are stored in the first one.',
      }),
      uploadBytesMax: Type.Integer({
        minimum: 0,
        description: 'Largest file that may be uploaded, in bytes; 0: uploads are disabled.',
      }),
    }),
  },
  access: access.administerRead('DataSourceAdmin'),
});

export const uploadDataFile = defineEndpoint({
  operationId: 'uploadDataFile',
  tag,
  summary: 'Uploads a file to the first folder that data sources may read; the body contains its bytes',
  method: 'POST',
  path,
  query: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: nameLengthMax,
      description:
        'File name without a folder. It ends in .csv, .tsv, .parquet, .json, .jsonl, .ndjson, .xlsx, .duckdb, .sqlite, .sqlite3 or .db.',
    }),
  }),
  takesFile: true,
  responses: { 201: DataFile },
  access: access.administer('DataSourceAdmin'),
  refusals: {
    400: 'The file name is not allowed, or the content does not match the file extension.',
    409: 'A file with this name exists, uploads are disabled, or the folder is not writable.',
    413: 'The file is larger than the limit for uploads.',
    415: 'The content type is not `application/octet-stream`.',
  },
});

const Text = nullable(Type.String());

/** Read settings of a file, configured or detected, and its first rows. */
export const FilePreview = Type.Object({
  reading: Type.Object(
    {
      encoding: Text,
      delimiter: Text,
      quote: Text,
      comment: nullable(
        Type.String({ description: 'Prefix of comment lines, which are skipped; null: none.' }),
      ),
      hasHeader: nullable(Type.Boolean()),
      skippedLines: nullable(
        Type.Integer({ minimum: 0, description: 'Lines that are skipped at the start of the file.' }),
      ),
      sheet: Text,
      table: Text,
    },
    { description: 'Read settings. Null: the setting does not exist for this file format.' },
  ),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String({ description: 'Type in DuckDB, as in `types` of the settings.' }),
      isMasked: Type.Boolean({ description: 'The values of this column in `rows` are masked.' }),
    }),
  ),
  rows: Type.Array(Type.Array(Type.Unknown()), { description: 'The first rows, at most 20.' }),
});
export type FilePreview = Static<typeof FilePreview>;

export const previewDataFile = defineEndpoint({
  operationId: 'previewDataFile',
  tag,
  summary: 'Shows how the settings read a file, before a data source is saved',
  method: 'POST',
  path: `${path}/preview`,
  body: Type.Object({
    file: mapOf(Type.Unknown(), {
      nameLengthMax: 100,
      sizeMax: 20,
      description:
        'An entry of `files` in the connection of a DuckDB data source, such as `{"path": "/data/orders.csv", "delimiter": ";"}`. Its `name` is optional.',
    }),
  }),
  responses: { 200: FilePreview },
  access: access.administer('DataSourceAdmin'),
});
