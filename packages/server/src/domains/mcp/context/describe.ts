import type { DataSourceMetadata } from '@svc/contract';
import type { SourceSchema } from './catalogue.ts';

type Table = DataSourceMetadata['tables'][number];

const keyTablesMax = 30;

export const tableName = (table: Pick<Table, 'schema' | 'name'>): string =>
  table.schema === '' ? table.name : `${table.schema}.${table.name}`;

/** Summarises a source: the number of tables and the names of the first tables. */
export function describeSource(schema: SourceSchema) {
  const { id, name, description, engine } = schema.source;
  const tables = 'metadata' in schema ? schema.metadata.tables : [];
  return {
    id,
    name,
    description,
    engine,
    schemas: 'metadata' in schema ? countBySchema(tables) : [],
    tableCount: tables.length,
    tables: tables.slice(0, keyTablesMax).map(tableName),
    schemaReadAt: 'metadata' in schema ? schema.metadata.refreshedAt : null,
    problem: 'missing' in schema ? schema.missing : null,
  };
}

function countBySchema(tables: readonly Table[]) {
  const counts = new Map<string, number>();
  for (const { schema } of tables) counts.set(schema, (counts.get(schema) ?? 0) + 1);
  return [...counts].map(([name, tableCount]) => ({ name, tableCount }));
}

/** Describes a table with the data that a model needs to write SQL. */
export const describeTable = (table: Table, isPersonal: (name: string) => boolean) => ({
  table: tableName(table),
  type: table.type,
  comment: table.comment,
  columns: table.columns.map((column) => ({
    name: column.name,
    databaseType: column.databaseType,
    isNullable: column.isNullable,
    comment: column.comment,
    isMasked: isPersonal(column.name),
  })),
  primaryKey: [...table.primaryKey],
  foreignKeys: table.foreignKeys.map((key) => ({
    columns: [...key.columns],
    toTable: tableName({ schema: key.toSchema, name: key.toTable }),
    toColumns: [...key.toColumns],
  })),
});

/** Finds a table by name, with or without its schema, case-insensitively. */
export function findTable(metadata: DataSourceMetadata, requestedTable: string): Table | undefined {
  const name = requestedTable.trim().replaceAll('"', '').toLowerCase();
  return (
    metadata.tables.find((table) => tableName(table).toLowerCase() === name) ??
    metadata.tables.find((table) => table.name.toLowerCase() === name)
  );
}
