import type { DatabaseSync } from 'node:sqlite';
import type { MetadataLimits } from '../embedded/messages.ts';
import type { ColumnMetadata, ForeignKeyMetadata, IndexMetadata, TableMetadata } from '../port.ts';

/** The only schema of an SQLite file. */
export const sqliteSchema = 'main';

export type SqliteTables = {
  readonly tables: readonly TableMetadata[];
  readonly areTablesCut: boolean;
  readonly areColumnsCut: boolean;
};

type Row = Record<string, unknown>;
const text = (value: unknown): string => String(value);

/** Reads tables and views with the service's own statements, before an authorizer is set. */
export function readSqliteTables(database: DatabaseSync, limits: MetadataLimits): SqliteTables {
  const rows: Row[] = database
    .prepare(
      `select name, type from pragma_table_list where schema = 'main' and type in ('table', 'view', 'virtual')
          and name not like 'sqlite\\_%' escape '\\' order by name limit ?`,
    )
    .all(limits.maxTables + 1);
  let areColumnsCut = false;
  const tables = rows.slice(0, limits.maxTables).map((row): TableMetadata => {
    const name = text(row['name']);
    const columns = limits.tableNamesOnly ? [] : columnsOf(database, name);
    areColumnsCut ||= columns.length > limits.maxColumnsPerTable;
    return {
      schema: sqliteSchema,
      name,
      type: row['type'] === 'view' ? 'View' : 'Table',
      comment: null,
      columns: columns.slice(0, limits.maxColumnsPerTable),
      primaryKey: limits.tableNamesOnly ? [] : primaryKeyOf(database, name),
      foreignKeys: limits.tableNamesOnly ? [] : foreignKeysOf(database, name),
      indexes: limits.tableNamesOnly ? [] : indexesOf(database, name),
    };
  });
  return { tables, areTablesCut: rows.length > limits.maxTables, areColumnsCut };
}

function columnsOf(database: DatabaseSync, table: string): ColumnMetadata[] {
  const rows: Row[] = database.prepare('select * from pragma_table_xinfo(?) where hidden <> 1').all(table);
  return rows.map((row) => ({
    name: text(row['name']),
    databaseType: text(row['type']).toLowerCase(),
    isNullable: row['notnull'] === 0 && row['pk'] === 0,
    defaultValue: row['dflt_value'] === null ? null : text(row['dflt_value']).slice(0, 500),
    comment: null,
  }));
}

function primaryKeyOf(database: DatabaseSync, table: string): string[] {
  const rows: Row[] = database
    .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
    .all(table);
  return rows.map((row) => text(row['name']));
}

function foreignKeysOf(database: DatabaseSync, table: string): ForeignKeyMetadata[] {
  const rows: Row[] = database
    .prepare('select * from pragma_foreign_key_list(?) order by id, seq')
    .all(table);
  const byId = Map.groupBy(rows, (row) => row['id']);
  return [...byId.values()].map((parts) => ({
    name: `${table}_${parts.map((part) => text(part['from'])).join('_')}_fk`,
    columns: parts.map((part) => text(part['from'])),
    toSchema: sqliteSchema,
    toTable: text(parts[0]?.['table']),
    toColumns: parts.flatMap((part) => (part['to'] === null ? [] : [text(part['to'])])),
  }));
}

function indexesOf(database: DatabaseSync, table: string): IndexMetadata[] {
  const rows: Row[] = database
    .prepare('select name, "unique", origin from pragma_index_list(?) order by name')
    .all(table);
  const columns = database.prepare('select name from pragma_index_info(?) order by seqno');
  return rows.map((row) => {
    const names: Row[] = columns.all(text(row['name']));
    return {
      name: text(row['name']),
      isUnique: row['unique'] === 1,
      isPrimary: row['origin'] === 'pk',
      columns: names.map((column) => (column['name'] === null ? '(expression)' : text(column['name']))),
    };
  });
}
