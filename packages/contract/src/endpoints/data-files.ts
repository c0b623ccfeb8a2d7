import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { mapOf, nullable, Time, wordOf } from '../shapes.ts';

const tag = 'data-files';
const path = '/svc/api/data-sources/files';
const nameLengthMax = 120;

/** A file that a data source may read. */
export const DataFile = Type.Object({
  name: Type.String({ description: 'Its place below the allowed folder, e.g. `sales/orders.csv`.' }),
  path: Type.String({ description: 'The absolute path, as the connection of a data source takes it.' }),
  engine: wordOf(['DuckDB', 'SQLite'] as const),
  tableName: Type.String({ description: 'A name that statements can read the file under.' }),
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
      isCut: Type.Boolean({ description: 'There are more files than are listed.' }),
      folders: Type.Array(Type.String(), {
        description: 'The folders that files of data sources lie in; uploaded ones go into the first.',
      }),
      uploadBytesMax: Type.Integer({
        minimum: 0,
        description: 'Largest file that may be uploaded; 0: none may.',
      }),
    }),
  },
  access: access.administerRead('DataSourceAdmin'),
});

export const uploadDataFile = defineEndpoint({
  operationId: 'uploadDataFile',
  tag,
  summary: 'Puts a file into the first of the folders that data sources may read; the body is its bytes',
  method: 'POST',
  path,
  query: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: nameLengthMax,
      description:
        'Name without a folder; it ends in .csv, .tsv, .parquet, .json, .jsonl, .ndjson, .xlsx, .duckdb, .sqlite, .sqlite3 or .db.',
    }),
  }),
  takesFile: true,
  responses: { 201: DataFile },
  access: access.administer('DataSourceAdmin'),
  refusals: {
    400: 'The name is not one that a file may have, or the content is not what its ending says.',
    409: 'There is a file of this name, uploading is off, or the folder cannot be written.',
    413: 'The file is larger than may be uploaded.',
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
      comment: nullable(Type.String({ description: 'Lines that begin with it are left out; null: none.' })),
      hasHeader: nullable(Type.Boolean()),
      skippedLines: nullable(
        Type.Integer({ minimum: 0, description: 'Lines before the first one that counts.' }),
      ),
      sheet: Text,
      table: Text,
    },
    { description: 'Null: a file of this format has no such thing.' },
  ),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String({ description: 'The type of DuckDB, as `types` of the settings takes it.' }),
      isMasked: Type.Boolean({ description: 'Values in the rows below are masked.' }),
    }),
  ),
  rows: Type.Array(Type.Array(Type.Unknown()), { description: 'The first rows, at most 20.' }),
});
export type FilePreview = Static<typeof FilePreview>;

export const previewDataFile = defineEndpoint({
  operationId: 'previewDataFile',
  tag,
  summary: 'Shows how a file is read under its settings, before a data source is saved',
  method: 'POST',
  path: `${path}/preview`,
  body: Type.Object({
    file: mapOf(Type.Unknown(), {
      nameLengthMax: 100,
      sizeMax: 20,
      description:
        'An entry of `files` in the connection of a DuckDB data source, such as `{"path": "/data/orders.csv", "delimiter": ";"}`. Its `name` may be left out.',
    }),
  }),
  responses: { 200: FilePreview },
  access: access.administer('DataSourceAdmin'),
});
