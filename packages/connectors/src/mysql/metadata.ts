import type { Connection } from 'mysql2';
import { groupBy, type MetadataChoice, metadataChoice } from '../metadata-choice.ts';
import type { ForeignKeyMetadata, IndexMetadata, Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import { type MysqlLogins, openFitSession } from './login.ts';
import { query } from './session.ts';
import type { MysqlConnection } from './settings.ts';

const limits = { maxBytes: 256 * 1024 * 1024, maxCellBytes: 8 * 1024 * 1024 };
const systemSchemas = new Set(['information_schema', 'mysql', 'performance_schema', 'sys']);
const catalogueRowsMax = 200_000;

/** Reads the schemas (databases) that are visible to the user, from `information_schema`. */
export const readMysqlMetadata =
  (logins: MysqlLogins) =>
  async (connection: MysqlConnection, options: MetadataOptions): Promise<Metadata> => {
    const session = await openFitSession(logins, connection, { ...options, limits });
    try {
      const metadata = await Promise.race([readAll(session.client, metadataChoice(options)), session.lost]);
      await session.finish();
      return metadata;
    } catch (error) {
      const explained = session.explain(error);
      await session.abandon();
      throw explained;
    }
  };

async function readAll(client: Connection, choice: MetadataChoice): Promise<Metadata> {
  const schemas = (await listSchemas(client)).filter(choice.isWanted);
  const tables = schemas.length === 0 ? [] : await listTables(client, schemas, choice.maxTables + 1);
  const shownTables = tables.slice(0, choice.maxTables);
  const isDetailed = !choice.tableNamesOnly && shownTables.length > 0;
  const columns = groupBy(isDetailed ? await listColumns(client, schemas) : [], keyOfTable);
  const keys = groupBy(isDetailed ? await listForeignKeys(client, schemas) : [], keyOfTable);
  const indexes = groupBy(isDetailed ? await listIndexes(client, schemas) : [], keyOfTable);
  return {
    schemas,
    tables: shownTables.map((table) =>
      presentTable(table, columns, keys, indexes, choice.maxColumnsPerTable),
    ),
    areTablesCut: tables.length > shownTables.length,
    areColumnsCut: shownTables.some(
      (table) => (columns.get(keyOfTable(table))?.length ?? 0) > choice.maxColumnsPerTable,
    ),
  };
}

type OfTable = { schema: string; table: string };
const keyOfTable = ({ schema, table }: OfTable): string => JSON.stringify([schema, table]);

function presentTable(
  table: TableRow,
  columns: Map<string, ColumnRow[]>,
  keys: Map<string, KeyRow[]>,
  indexes: Map<string, IndexRow[]>,
  maxColumns: number,
): TableMetadata {
  const key = keyOfTable(table);
  const ownIndexes = presentIndexes(indexes.get(key) ?? []);
  return {
    schema: table.schema,
    name: table.table,
    type: table.type === 'VIEW' || table.type === 'SYSTEM VIEW' ? 'View' : 'Table',
    comment: table.type === 'VIEW' || table.comment === '' ? null : table.comment,
    columns: (columns.get(key) ?? []).slice(0, maxColumns).map((column) => ({
      name: column.name,
      databaseType: column.type,
      isNullable: column.nullable === 'YES',
      defaultValue: column.default_value,
      comment: column.comment === '' ? null : column.comment,
    })),
    primaryKey: ownIndexes.find((index) => index.isPrimary)?.columns ?? [],
    foreignKeys: presentForeignKeys(keys.get(key) ?? []),
    indexes: ownIndexes,
  };
}

function presentForeignKeys(rows: readonly KeyRow[]): ForeignKeyMetadata[] {
  return [...groupBy(rows, (row) => row.name)].flatMap(([name, parts]) => {
    const first = parts[0];
    if (!first) return [];
    return [
      {
        name,
        columns: parts.map((part) => part.column),
        toSchema: first.to_schema,
        toTable: first.to_table,
        toColumns: parts.map((part) => part.to_column),
      },
    ];
  });
}

function presentIndexes(rows: readonly IndexRow[]): IndexMetadata[] {
  return [...groupBy(rows, (row) => row.name)].map(([name, parts]) => ({
    name,
    isUnique: Number(parts[0]?.non_unique) === 0,
    isPrimary: name === 'PRIMARY',
    columns: parts.map((part) => part.column ?? '(expression)'),
  }));
}

async function listSchemas(client: Connection): Promise<string[]> {
  const rows = await query<{ name: string }>(
    client,
    'select schema_name as name from information_schema.schemata order by schema_name',
  );
  return rows.map((row) => row.name).filter((name) => !systemSchemas.has(name.toLowerCase()));
}

type TableRow = OfTable & { type: string; comment: string };

const listTables = (client: Connection, schemas: readonly string[], limit: number) =>
  query<TableRow>(
    client,
    `select table_schema as \`schema\`, table_name as \`table\`, table_type as type, table_comment as comment
       from information_schema.tables where table_schema in (?) order by table_schema, table_name limit ?`,
    [schemas, limit],
  );

type ColumnRow = OfTable & {
  name: string;
  type: string;
  nullable: string;
  default_value: string | null;
  comment: string;
};

const listColumns = (client: Connection, schemas: readonly string[]) =>
  query<ColumnRow>(
    client,
    `select table_schema as \`schema\`, table_name as \`table\`, column_name as name, column_type as type,
            is_nullable as nullable, left(column_default, 500) as default_value, column_comment as comment
       from information_schema.columns where table_schema in (?)
      order by table_schema, table_name, ordinal_position limit ${catalogueRowsMax}`,
    [schemas],
  );

type KeyRow = OfTable & {
  name: string;
  column: string;
  to_schema: string;
  to_table: string;
  to_column: string;
};

const listForeignKeys = (client: Connection, schemas: readonly string[]) =>
  query<KeyRow>(
    client,
    `select table_schema as \`schema\`, table_name as \`table\`, constraint_name as name, column_name as \`column\`,
            referenced_table_schema as to_schema, referenced_table_name as to_table,
            referenced_column_name as to_column
       from information_schema.key_column_usage
      where table_schema in (?) and referenced_table_name is not null
      order by table_schema, table_name, constraint_name, ordinal_position limit ${catalogueRowsMax}`,
    [schemas],
  );

type IndexRow = OfTable & { name: string; non_unique: number | string; column: string | null };

const listIndexes = (client: Connection, schemas: readonly string[]) =>
  query<IndexRow>(
    client,
    `select table_schema as \`schema\`, table_name as \`table\`, index_name as name, non_unique,
            column_name as \`column\`
       from information_schema.statistics where table_schema in (?)
      order by table_schema, table_name, index_name, seq_in_index limit ${catalogueRowsMax}`,
    [schemas],
  );
