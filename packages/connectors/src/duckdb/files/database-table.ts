import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DuckdbFile } from '../../embedded/messages.ts';
import { shortened } from '../../shortened.ts';
import { quoteName, textLiteral } from '../names.ts';
import { type FileSource, selfDescribed } from './file-reading.ts';
import { FileRefusal } from './file-refusals.ts';

const namedTablesMax = 20;
const attachedPrefix = 'file of ';

/** Returns the name of a file's attached database. A user's statement must not contain this name. */
const attachedName = (name: string): string => `${attachedPrefix}${name}`;

/** Removes proposals that name attached databases from a message of the engine. */
export const withoutProposals = (message: string): string =>
  message.replace(new RegExp(`\\n?Did you mean [^\\n]*${attachedPrefix}[^\\n]*`), '');

/**
 * Attaches a DuckDB file as read-only and returns one of its tables. It never reads a view of the file, because an untrusted
 * author wrote its SQL.
 *
 * @throws FileRefusal if the file has several tables and the settings name none, or if the table is missing.
 */
export async function databaseTable(
  connection: DuckDBConnection,
  { name, path, settings }: DuckdbFile,
): Promise<FileSource> {
  const database = attachedName(name);
  await connection.run(`ATTACH ${textLiteral(path)} AS ${quoteName(database)} (TYPE duckdb, READ_ONLY)`);
  const result = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables()
      WHERE database_name = ${textLiteral(database)} AND schema_name = 'main' AND NOT internal ORDER BY table_name`,
  );
  const tables = result.getRowsJson().map(([table]) => String(table));
  const table = settings.table ?? (tables.length === 1 ? tables[0] : undefined);
  if (table === undefined || !tables.includes(table))
    throw new FileRefusal(whichTable(basename(path), settings.table, tables));
  return {
    sql: [database, 'main', table].map(quoteName).join('.'),
    reading: { ...selfDescribed, table },
  };
}

function whichTable(file: string, requested: string | undefined, tables: readonly string[]): string {
  const named = tables
    .slice(0, namedTablesMax)
    .map((table) => shortened(table))
    .join(', ');
  if (tables.length === 0) return `The file ${file} has no table in its schema main.`;
  return requested === undefined
    ? `The file ${file} has several tables. Name one in the settings of the file: ${named}.`
    : `The file ${file} has no table ${shortened(requested)}. Its tables are: ${named}.`;
}
