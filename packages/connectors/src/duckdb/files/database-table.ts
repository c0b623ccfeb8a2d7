import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DuckdbFile } from '../../embedded/messages.ts';
import { quoteName, textLiteral } from '../names.ts';
import { type FileSource, selfDescribed } from './file-reading.ts';
import { FileRefusal } from './file-refusals.ts';

const namedTablesMax = 20;
const attachedPrefix = 'file of ';

/** The name under which the database of a file is attached. No statement of a user may write it. */
const attachedName = (name: string): string => `${attachedPrefix}${name}`;

/** A message of the engine without what it proposes from attached databases. */
export const withoutProposals = (message: string): string =>
  message.replace(new RegExp(`\\n?Did you mean [^\\n]*${attachedPrefix}[^\\n]*`), '');

/**
 * Attaches a DuckDB file for reading only, and returns one of its tables. Views of the file are not read: their texts
 * are those of a stranger.
 *
 * @throws FileRefusal where the file has several tables and the settings name none, or has no such table.
 */
export async function databaseTable(
  connection: DuckDBConnection,
  { name, path, settings }: DuckdbFile,
): Promise<FileSource> {
  const database = attachedName(name);
  await connection.run(`ATTACH ${textLiteral(path)} AS ${quoteName(database)} (TYPE duckdb, READ_ONLY)`);
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables()
      WHERE database_name = ${textLiteral(database)} AND schema_name = 'main' AND NOT internal ORDER BY table_name`,
  );
  const tables = found.getRowsJson().map(([table]) => String(table));
  const table = settings.table ?? (tables.length === 1 ? tables[0] : undefined);
  if (table === undefined || !tables.includes(table))
    throw new FileRefusal(whichTable(basename(path), settings.table, tables));
  return {
    sql: [database, 'main', table].map(quoteName).join('.'),
    reading: { ...selfDescribed, table },
  };
}

function whichTable(file: string, wanted: string | undefined, tables: readonly string[]): string {
  const named = tables.slice(0, namedTablesMax).join(', ');
  if (tables.length === 0) return `The file ${file} has no table in its schema main.`;
  return wanted === undefined
    ? `The file ${file} has several tables. Name one in the settings of the file: ${named}.`
    : `The file ${file} has no table ${wanted}. Its tables are: ${named}.`;
}
