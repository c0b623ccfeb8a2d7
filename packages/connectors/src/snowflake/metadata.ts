import { groupBy, type MetadataChoice, metadataChoice } from '../metadata-choice.ts';
import type { ForeignKeyMetadata, Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import type { Cell } from '../values.ts';
import { readAll } from './answer/read.ts';
import { inFitSession, type SnowflakeLoginCache } from './execute.ts';
import type { Session } from './session.ts';
import { keptName, type SnowflakeConnection } from './settings.ts';

const systemSchema = 'INFORMATION_SCHEMA';
const catalogueRowsMax = 200_000;
/** Limits of one catalogue query. */
const limits = { maxRows: catalogueRowsMax, maxBytes: 256 * 1024 * 1024, maxCellBytes: 1024 * 1024 };

/** Reads the schemas of the database that are visible to the role, from `INFORMATION_SCHEMA`. Keys come from `SHOW`. */
export const readSnowflakeMetadata =
  (logins: SnowflakeLoginCache) =>
  (connection: SnowflakeConnection, options: MetadataOptions): Promise<Metadata> =>
    inFitSession(logins, connection, options, async (session) => {
      const metadata = await readDatabase(session, metadataChoice(options));
      await session.finish();
      return metadata;
    });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function readDatabase(session: Session, choice: MetadataChoice): Promise<Metadata> {
  const database = quoted(keptName(session.connection.database));
  const schemas = (await listSchemas(session, database)).filter(choice.isWanted);
  const schemaNames = new Set(schemas);
  const tables = (await listTables(session, database)).filter(({ schema }) => schemaNames.has(schema));
  const shownTables = tables.slice(0, choice.maxTables);
  const isDetailed = !choice.tableNamesOnly && shownTables.length > 0;
  const columns = groupBy(isDetailed ? await listColumns(session, database) : [], keyOfTable);
  const primaryKeys = groupBy(isDetailed ? await listPrimaryKeys(session, database) : [], keyOfTable);
  const foreignKeys = groupBy(isDetailed ? await listForeignKeys(session, database) : [], keyOfTable);
  return {
    schemas,
    tables: shownTables.map((table): TableMetadata => {
      const key = keyOfTable(table);
      const keyRows = inOrder(primaryKeys.get(key) ?? []);
      return {
        schema: table.schema,
        name: table.table,
        type: table.type,
        comment: table.comment,
        columns: (columns.get(key) ?? [])
          .slice(0, choice.maxColumnsPerTable)
          .map(({ schema: _schema, table: _table, ...column }) => column),
        primaryKey: keyRows.map(({ column }) => column),
        foreignKeys: presentKeys(foreignKeys.get(key) ?? []),
        // Snowflake has no indexes: it selects micro-partitions by statistics about their contents.
        indexes: [],
      };
    }),
    areTablesCut: tables.length > shownTables.length,
    areColumnsCut: shownTables.some(
      (table) => (columns.get(keyOfTable(table))?.length ?? 0) > choice.maxColumnsPerTable,
    ),
  };
}

type OfTable = { readonly schema: string; readonly table: string };
const keyOfTable = ({ schema, table }: OfTable): string => JSON.stringify([schema, table]);

const textOf = (cell: Cell | undefined): string => String(cell ?? '');
const textOrNull = (cell: Cell | undefined): string | null =>
  cell == null || cell === '' ? null : String(cell);

async function listSchemas(session: Session, database: string): Promise<string[]> {
  const sql = `select schema_name from ${database}.information_schema.schemata order by schema_name limit ${catalogueRowsMax}`;
  const { rows } = await readAll(session, { sql }, limits);
  return rows.map(([name]) => textOf(name)).filter((name) => name !== systemSchema);
}

type TableRow = OfTable & Pick<TableMetadata, 'type' | 'comment'>;

async function listTables(session: Session, database: string): Promise<TableRow[]> {
  const sql = `select table_schema, table_name, table_type, comment from ${database}.information_schema.tables
    where table_schema <> '${systemSchema}' order by table_schema, table_name limit ${catalogueRowsMax}`;
  const { rows } = await readAll(session, { sql }, limits);
  return rows.map(([schema, table, type, comment]) => ({
    schema: textOf(schema),
    table: textOf(table),
    comment: textOrNull(comment),
    type: /VIEW/i.test(textOf(type)) ? 'View' : 'Table',
  }));
}

type ColumnRow = OfTable & TableMetadata['columns'][number];

async function listColumns(session: Session, database: string): Promise<ColumnRow[]> {
  const sql = `select table_schema, table_name, column_name, data_type, numeric_precision, numeric_scale,
      character_maximum_length, datetime_precision, is_nullable, substr(column_default, 1, 500), comment
    from ${database}.information_schema.columns where table_schema <> '${systemSchema}'
    order by table_schema, table_name, ordinal_position limit ${catalogueRowsMax}`;
  const { rows } = await readAll(session, { sql }, limits);
  return rows.map(([schema, table, name, type, precision, scale, length, fraction, isNullable, ...rest]) => ({
    schema: textOf(schema),
    table: textOf(table),
    name: textOf(name),
    databaseType: typeName(textOf(type), { precision, scale, length, fraction }),
    isNullable: textOf(isNullable) === 'YES',
    defaultValue: textOrNull(rest[0]),
    comment: textOrNull(rest[1]),
  }));
}

/** Returns the type with its precision or length, as a statement writes it. */
function typeName(
  type: string,
  size: Readonly<Record<'precision' | 'scale' | 'length' | 'fraction', Cell | undefined>>,
): string {
  if (type === 'NUMBER' && size.precision != null)
    return `NUMBER(${textOf(size.precision)},${textOf(size.scale)})`;
  if (type === 'TEXT') return size.length == null ? 'VARCHAR' : `VARCHAR(${textOf(size.length)})`;
  if (/^TIME/.test(type) && size.fraction != null) return `${type}(${textOf(size.fraction)})`;
  return type;
}

/** Returns the rows of a `SHOW` by column name. The number of its columns varies between versions. */
async function show(session: Session, sql: string): Promise<((name: string) => string)[]> {
  const { names, rows } = await readAll(session, { sql }, limits);
  return rows.map((row) => (name) => textOf(row[names.indexOf(name)]));
}

type KeyRow = OfTable & { readonly name: string; readonly column: string; readonly place: number };

const inOrder = <Row extends KeyRow>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => one.place - other.place);

async function listPrimaryKeys(session: Session, database: string): Promise<KeyRow[]> {
  const rows = await show(session, `show primary keys in database ${database}`);
  return rows.map((cell) => ({
    schema: cell('schema_name'),
    table: cell('table_name'),
    name: cell('constraint_name'),
    column: cell('column_name'),
    place: Number(cell('key_sequence')),
  }));
}

type ForeignKeyRow = KeyRow & {
  readonly toDatabase: string;
  readonly toSchema: string;
  readonly toTable: string;
  readonly toColumn: string;
};

/** A key that refers to another database is left out: this source does not read that database. */
async function listForeignKeys(session: Session, database: string): Promise<ForeignKeyRow[]> {
  const rows = await show(session, `show imported keys in database ${database}`);
  return rows
    .map((cell) => ({
      schema: cell('fk_schema_name'),
      table: cell('fk_table_name'),
      name: cell('fk_name'),
      column: cell('fk_column_name'),
      place: Number(cell('key_sequence')),
      toDatabase: cell('pk_database_name'),
      toSchema: cell('pk_schema_name'),
      toTable: cell('pk_table_name'),
      toColumn: cell('pk_column_name'),
    }))
    .filter(({ toDatabase }) => quoted(toDatabase) === database);
}

const presentKeys = (rows: readonly ForeignKeyRow[]): ForeignKeyMetadata[] =>
  [...groupBy(rows, ({ name }) => name).values()].map((unordered) => {
    const keyRows = inOrder(unordered);
    return {
      name: keyRows[0]?.name ?? '',
      columns: keyRows.map(({ column }) => column),
      toSchema: keyRows[0]?.toSchema ?? '',
      toTable: keyRows[0]?.toTable ?? '',
      toColumns: keyRows.map(({ toColumn }) => toColumn),
    };
  });
