import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DuckdbFile } from '../../embedded/messages.ts';
import { quoteName, textLiteral } from '../names.ts';
import { csvSource, readCsv } from './csv/source.ts';
import { databaseTable } from './database-table.ts';
import type { DecodedFile } from './decoded-file.ts';
import { type FileReading, type FileSource, selfDescribed } from './file-reading.ts';
import { refuseFile } from './file-refusals.ts';
import { jsonSource } from './json-source.ts';
import { assertFits, declaredTypesOf, type TypedColumn } from './typed-columns.ts';

/** Result for a file: its reading, or its refusal. */
export type FileView = { readonly reading: FileReading } | { readonly refusal: string };

/** Copy that a view may write, and the memory limit of the engine. */
export type FileSpace = { readonly decoded: DecodedFile; readonly memoryBytes: number };

/**
 * Creates the view of one file. The caller has refused paths with wildcard characters. An unreadable file gets a view whose
 * reads fail with the reason, so that the other files of the source stay readable.
 *
 * Throws if the engine has no memory left or refuses a permission.
 */
export async function createFileView(
  connection: DuckDBConnection,
  file: DuckdbFile,
  space: FileSpace,
): Promise<FileView> {
  try {
    const { sql, reading } = await sourceOf(connection, file, space);
    await connection.run(`CREATE VIEW ${quoteName(file.name)} AS SELECT * FROM ${sql}`);
    return { reading };
  } catch (error) {
    const refusal = refuseFile(error, path.basename(file.path));
    await connection.run(
      `CREATE VIEW ${quoteName(file.name)} AS SELECT error(${textLiteral(refusal)})::VARCHAR AS unreadable`,
    );
    return { refusal };
  }
}

function sourceOf(
  connection: DuckDBConnection,
  file: DuckdbFile,
  { decoded, memoryBytes }: FileSpace,
): Promise<FileSource> | FileSource {
  const { settings } = file;
  switch (file.format) {
    case 'csv':
      return csvSource(connection, file.path, decoded, settings);
    case 'xlsx':
      return sheetSource(connection, file, { ...decoded, memoryBytes });
    case 'duckdb':
      return databaseTable(connection, file);
    case 'parquet':
      return {
        sql: `read_parquet(${textLiteral(file.path)}, hive_partitioning = false)`,
        reading: selfDescribed,
      };
    case 'json':
      return jsonSource(connection, file.path, decoded);
  }
}

/** Options for the CSV of `writeSheet`: an empty text is quoted, NULL is not. */
const sheetOptions = [
  "delim = ','",
  `quote = '"'`,
  `escape = '"'`,
  'header = false',
  'allow_quoted_nulls = false',
  // Parallel reads need twice the memory for each column.
  'parallel = false',
  String.raw`new_line = '\n'`,
];

async function sheetSource(
  connection: DuckDBConnection,
  { path: place, settings }: DuckdbFile,
  decoded: DecodedFile & Pick<FileSpace, 'memoryBytes'>,
): Promise<FileSource> {
  // Loaded on demand: only statements that read a sheet need the reader.
  const { writeSheet } = await import('./xlsx/sheet.ts');
  const { sheet, hasHeader, columns, rowNumbers } = await writeSheet(place, settings, decoded);
  const declaredTypes = declaredTypesOf(
    place,
    columns.map(({ name }) => name),
    settings,
  );
  const source = (typeOf: (column: TypedColumn) => string) =>
    readCsv(
      decoded.path,
      sheetOptions,
      columns.map((column) => ({ name: column.name, type: typeOf(column) })),
    );
  await assertFits(
    connection,
    source(() => 'VARCHAR'),
    { file: place, declaredTypes, decimalSeparator: '.', placeOf: (row) => `Row ${rowNumbers[row - 1]}` },
  );
  const sql = source(({ name, type }) => declaredTypes.get(name) ?? type);
  return { sql, reading: { ...selfDescribed, hasHeader, sheet } };
}
