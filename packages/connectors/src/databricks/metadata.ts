import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import { groupBy, type MetadataChoice, metadataChoice } from '../metadata-choice.ts';
import type { ForeignKeyMetadata, Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import { databricksDialect } from '../sql/dialects.ts';
import type { Cell } from '../values.ts';
import { readAll } from './answer/read.ts';
import { type Account, inFitSession } from './execute.ts';
import type { Session } from './session.ts';
import type { DatabricksConnection } from './settings.ts';

const systemSchema = 'information_schema';
const catalogueRowsMax = 200_000;
/** A result has at most 25 MiB: long lists are read in pages. */
const pageRows = 20_000;
const limits = { maxRows: pageRows, maxBytes: 64 * 1_024 * 1_024, maxCellBytes: 1_024 * 1_024 };

/** Reads the schemas of the catalog that are visible to the login, from its `information_schema`. */
export const readDatabricksMetadata =
  (account: Account) =>
  (connection: DatabricksConnection, options: MetadataOptions): Promise<Metadata> =>
    inFitSession(account, connection, options, async (session) => {
      const metadata = await readCatalog(session, metadataChoice(options));
      await session.finish();
      return metadata;
    });

async function readCatalog(session: Session, choice: MetadataChoice): Promise<Metadata> {
  const schemas = (await listSchemas(session)).filter(choice.isWanted);
  const schemaNames = new Set(schemas);
  const tables = (await listTables(session)).filter(({ schema }) => schemaNames.has(schema));
  const shownTables = tables.slice(0, choice.maxTables);
  const isDetailed = !choice.tableNamesOnly && shownTables.length > 0;
  const columns = groupBy(isDetailed ? await listColumns(session) : [], keyOfTable);
  const primaryKeys = groupBy(isDetailed ? await listPrimaryKeys(session) : [], keyOfTable);
  const foreignKeys = groupBy(isDetailed ? await listForeignKeys(session) : [], keyOfTable);
  return {
    schemas,
    tables: shownTables.map((table): TableMetadata => {
      const key = keyOfTable(table);
      return {
        schema: table.schema,
        name: table.table,
        type: table.type,
        comment: table.comment,
        columns: (columns.get(key) ?? [])
          .slice(0, choice.maxColumnsPerTable)
          .map(({ schema: _schema, table: _table, ...column }) => column),
        primaryKey: (primaryKeys.get(key) ?? []).map(({ column }) => column),
        foreignKeys: presentKeys(foreignKeys.get(key) ?? []),
        // Databricks has no indexes: it skips files by statistics about their contents.
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

const { quote } = databricksDialect;
const viewOf = ({ connection }: Session, name: string): string =>
  `${quote(connection.catalog)}.${systemSchema}.${name}`;

/** Returns all rows of a list, page by page. The statement must order them. */
async function list(session: Session, sql: string): Promise<readonly (readonly Cell[])[]> {
  const rows: (readonly Cell[])[] = [];
  for (;;) {
    const page = await readAll(session, { sql: `${sql} limit ${pageRows} offset ${rows.length}` }, limits);
    rows.push(...page);
    if (page.length < pageRows) return rows;
    if (rows.length >= catalogueRowsMax)
      throw new ConnectorError(
        'too-many-rows',
        `The catalog has more than ${plural(catalogueRowsMax, 'column')}.`,
      );
  }
}

async function listSchemas(session: Session): Promise<string[]> {
  const rows = await list(
    session,
    `select schema_name from ${viewOf(session, 'schemata')} where schema_name <> '${systemSchema}' order by schema_name`,
  );
  return rows.map(([name]) => textOf(name));
}

type TableRow = OfTable & Pick<TableMetadata, 'type' | 'comment'>;

async function listTables(session: Session): Promise<TableRow[]> {
  const rows = await list(
    session,
    `select table_schema, table_name, table_type, substr(comment, 1, 2000) from ${viewOf(session, 'tables')}
    where table_schema <> '${systemSchema}' order by table_schema, table_name`,
  );
  return rows.map(([schema, table, type, comment]) => ({
    schema: textOf(schema),
    table: textOf(table),
    comment: textOrNull(comment),
    type: /VIEW/i.test(textOf(type)) ? 'View' : 'Table',
  }));
}

type ColumnRow = OfTable & TableMetadata['columns'][number];

async function listColumns(session: Session): Promise<ColumnRow[]> {
  const rows = await list(
    session,
    `select table_schema, table_name, column_name, substr(full_data_type, 1, 2000), is_nullable,
      substr(column_default, 1, 500), substr(comment, 1, 500)
    from ${viewOf(session, 'columns')} where table_schema <> '${systemSchema}'
    order by table_schema, table_name, ordinal_position`,
  );
  return rows.map(([schema, table, name, type, isNullable, defaultValue, comment]) => ({
    schema: textOf(schema),
    table: textOf(table),
    name: textOf(name),
    databaseType: typeName(textOf(type)),
    isNullable: textOf(isNullable) === 'YES',
    defaultValue: textOrNull(defaultValue),
    comment: textOrNull(comment),
  }));
}

/** Writes types in capitals, as results have them. Field names remain unchanged. */
const typeName = (type: string): string => (/[<`]/.test(type) ? type : type.toUpperCase());

type KeyRow = OfTable & { readonly name: string; readonly column: string };

async function listPrimaryKeys(session: Session): Promise<KeyRow[]> {
  const rows = await list(
    session,
    `select k.table_schema, k.table_name, k.constraint_name, k.column_name
    from ${viewOf(session, 'table_constraints')} c join ${viewOf(session, 'key_column_usage')} k
      on k.constraint_schema = c.constraint_schema and k.constraint_name = c.constraint_name
      and k.table_schema = c.table_schema and k.table_name = c.table_name
    where c.constraint_type = 'PRIMARY KEY'
    order by k.table_schema, k.table_name, k.ordinal_position`,
  );
  return rows.map(([schema, table, name, column]) => ({
    schema: textOf(schema),
    table: textOf(table),
    name: textOf(name),
    column: textOf(column),
  }));
}

type ForeignKeyRow = KeyRow & {
  readonly toSchema: string;
  readonly toTable: string;
  readonly toColumn: string;
};

/** A key that refers to another catalog is left out: this source does not read that catalog's columns. */
async function listForeignKeys(session: Session): Promise<ForeignKeyRow[]> {
  const rows = await list(
    session,
    `select k.table_schema, k.table_name, k.constraint_name, k.column_name, t.table_schema, t.table_name, t.column_name
    from ${viewOf(session, 'referential_constraints')} r join ${viewOf(session, 'key_column_usage')} k
      on k.constraint_schema = r.constraint_schema and k.constraint_name = r.constraint_name
    join ${viewOf(session, 'key_column_usage')} t
      on t.constraint_catalog = r.unique_constraint_catalog and t.constraint_schema = r.unique_constraint_schema
      and t.constraint_name = r.unique_constraint_name and t.ordinal_position = k.position_in_unique_constraint
    order by k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`,
  );
  return rows.map(([schema, table, name, column, ...to]) => ({
    schema: textOf(schema),
    table: textOf(table),
    name: textOf(name),
    column: textOf(column),
    toSchema: textOf(to[0]),
    toTable: textOf(to[1]),
    toColumn: textOf(to[2]),
  }));
}

const presentKeys = (rows: readonly ForeignKeyRow[]): ForeignKeyMetadata[] =>
  [...groupBy(rows, ({ name }) => name).values()].map((keyRows) => ({
    name: keyRows[0]?.name ?? '',
    columns: keyRows.map(({ column }) => column),
    toSchema: keyRows[0]?.toSchema ?? '',
    toTable: keyRows[0]?.toTable ?? '',
    toColumns: keyRows.map(({ toColumn }) => toColumn),
  }));
