import { dropUnwantedSchemas } from '../embedded/metadata.ts';
import { groupBy, metadataChoice } from '../metadata-choice.ts';
import type { Metadata, MetadataOptions } from '../port.ts';
import { filesFor } from './files/listed-files.ts';
import { type DuckdbOptions, ownLimits, runStatement } from './run-statement.ts';
import type { DuckdbConnection } from './settings.ts';
import { withoutLabels } from './type-text.ts';

const schemaName = 'main';
const columnsSql = `select table_name, column_name, data_type from duckdb_columns()
      where database_name = current_database() and schema_name = 'main' and not internal order by table_name, column_index`;

/** Reads the tables of a data source: its readable files, with their columns. */
export async function readDuckdbMetadata(
  options: DuckdbOptions,
  connection: DuckdbConnection,
  call: MetadataOptions,
): Promise<Metadata> {
  const choice = metadataChoice(call);
  const byTable = [...groupBy(await columnRows(options, connection, call), ([table]) => String(table))];
  const tables = byTable.slice(0, choice.maxTables).map(([name, columns]) => ({
    schema: schemaName,
    name,
    type: 'Table' as const,
    comment: null,
    columns: choice.tableNamesOnly
      ? []
      : columns.slice(0, choice.maxColumnsPerTable).map(([, column, type]) => ({
          name: String(column),
          databaseType: withoutLabels(String(type)).toLowerCase(),
          isNullable: true,
          defaultValue: null,
          comment: null,
        })),
    primaryKey: [],
    foreignKeys: [],
    indexes: [],
  }));
  const areColumnsCut =
    !choice.tableNamesOnly && byTable.some(([, columns]) => columns.length > choice.maxColumnsPerTable);
  const contents = { tables, areTablesCut: byTable.length > tables.length, areColumnsCut };
  return dropUnwantedSchemas([schemaName], contents, choice);
}

/** Reads one row per column: table, column and type. */
async function columnRows(
  options: DuckdbOptions,
  connection: DuckdbConnection,
  call: MetadataOptions,
): Promise<readonly (readonly unknown[])[]> {
  const statement = { sql: columnsSql, isOurs: true };
  const files = await filesFor(options.files, connection, statement);
  const result = await runStatement(options, { files, statement, limits: ownLimits }, call);
  const rows: unknown[][] = [];
  for await (const batch of result.batches)
    for (let r = 0; r < batch.rowCount; r++) rows.push(batch.columns.map((column) => column[r]));
  return rows;
}
