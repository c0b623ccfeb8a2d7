import { groupBy, type MetadataChoice, metadataChoice } from '../metadata-choice.ts';
import type { IndexMetadata, Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import type { Cell } from '../values.ts';
import { startRead } from './execute.ts';
import { openSession, type Session } from './session.ts';
import type { ClickhouseConnection } from './settings.ts';
import { isNullableType } from './types.ts';

const systemSchemas = new Set(['system', 'information_schema']);
const catalogueRowsMax = 200_000;
const limits = {
  maxRows: catalogueRowsMax,
  maxBytes: 256 * 1024 * 1024,
  maxCellBytes: 8 * 1024 * 1024,
  keepsSession: true,
};

/** Reads the databases that are visible to the user, from `system`. ClickHouse has no foreign keys. */
export async function readClickhouseMetadata(
  connection: ClickhouseConnection,
  options: MetadataOptions,
): Promise<Metadata> {
  const session = await openSession(connection, options);
  try {
    const metadata = await readAll(session, metadataChoice(options));
    await session.finish();
    return metadata;
  } catch (error) {
    const explained = session.explain(error);
    await session.abandon();
    throw explained;
  }
}

async function readAll(session: Session, choice: MetadataChoice): Promise<Metadata> {
  const schemas = (await listSchemas(session)).filter(choice.isWanted);
  const tables = schemas.length === 0 ? [] : await listTables(session, schemas, choice.maxTables + 1);
  const shownTables = tables.slice(0, choice.maxTables);
  const isDetailed = !choice.tableNamesOnly && shownTables.length > 0;
  const columns = groupBy(isDetailed ? await listColumns(session, schemas) : [], keyOfTable);
  const indexes = groupBy(isDetailed ? await listSkippingIndexes(session, schemas) : [], keyOfTable);
  return {
    schemas,
    tables: shownTables.map((table) => presentTable(table, columns, indexes, choice.maxColumnsPerTable)),
    areTablesCut: tables.length > shownTables.length,
    areColumnsCut: shownTables.some(
      (table) => (columns.get(keyOfTable(table))?.length ?? 0) > choice.maxColumnsPerTable,
    ),
  };
}

type OfTable = { readonly schema: string; readonly table: string };
const keyOfTable = ({ schema, table }: OfTable): string => JSON.stringify([schema, table]);

function presentTable(
  table: TableRow,
  columns: Map<string, ColumnRow[]>,
  indexes: Map<string, IndexRow[]>,
  maxColumns: number,
): TableMetadata {
  const tableColumns = columns.get(keyOfTable(table)) ?? [];
  const key = expressions(table.primaryKey);
  const primary: IndexMetadata[] =
    key.length === 0 ? [] : [{ name: 'PRIMARY KEY', isUnique: false, isPrimary: true, columns: key }];
  return {
    schema: table.schema,
    name: table.table,
    type: /View$/.test(table.engine) ? 'View' : 'Table',
    comment: table.comment === '' ? null : table.comment,
    columns: tableColumns.slice(0, maxColumns).map((column) => ({
      name: column.name,
      databaseType: column.type,
      isNullable: isNullableType(column.type),
      defaultValue: column.defaultValue === '' ? null : column.defaultValue,
      comment: column.comment === '' ? null : column.comment,
    })),
    // ClickHouse's primary key is a sort key and not unique: several rows may have the same value.
    primaryKey: [],
    foreignKeys: [],
    indexes: [
      ...primary,
      ...(indexes.get(keyOfTable(table)) ?? []).map(({ name, expression }) => ({
        name,
        isUnique: false,
        isPrimary: false,
        columns: expressions(expression),
      })),
    ],
  };
}

/** Splits `id, toDate(at)` at its outermost commas and removes the quotes of names. */
function expressions(list: string): string[] {
  const texts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= list.length; at++) {
    const character = list[at];
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      texts.push(
        list
          .slice(from, at)
          .trim()
          .replace(/^`(.*)`$/, '$1'),
      );
      from = at + 1;
    }
  }
  return texts.filter((text) => text !== '');
}

const literals = (names: readonly string[]): string =>
  names.map((name) => `'${name.replaceAll(/[\\']/g, '\\$&')}'`).join(', ');

async function listSchemas(session: Session): Promise<string[]> {
  const rows = await read(session, 'select name from system.databases order by name');
  return rows.map(([name]) => String(name)).filter((name) => !systemSchemas.has(name.toLowerCase()));
}

type TableRow = OfTable & { readonly engine: string; readonly comment: string; readonly primaryKey: string };

async function listTables(session: Session, schemas: readonly string[], limit: number): Promise<TableRow[]> {
  const rows = await read(
    session,
    `select database, name, engine, comment, primary_key from system.tables
      where database in (${literals(schemas)}) and not is_temporary and not startsWith(name, '.inner')
      order by database, name limit ${limit}`,
  );
  return rows.map(([schema, table, engine, comment, primaryKey]) => ({
    schema: String(schema),
    table: String(table),
    engine: String(engine),
    comment: String(comment),
    primaryKey: String(primaryKey),
  }));
}

type ColumnRow = OfTable & {
  readonly name: string;
  readonly type: string;
  readonly defaultValue: string;
  readonly comment: string;
};

async function listColumns(session: Session, schemas: readonly string[]): Promise<ColumnRow[]> {
  const rows = await read(
    session,
    `select database, table, name, type, substring(default_expression, 1, 500), comment from system.columns
      where database in (${literals(schemas)}) order by database, table, position limit ${catalogueRowsMax}`,
  );
  return rows.map(([schema, table, name, type, defaultValue, comment]) => ({
    schema: String(schema),
    table: String(table),
    name: String(name),
    type: String(type),
    defaultValue: String(defaultValue),
    comment: String(comment),
  }));
}

type IndexRow = OfTable & { readonly name: string; readonly expression: string };

async function listSkippingIndexes(session: Session, schemas: readonly string[]): Promise<IndexRow[]> {
  const rows = await read(
    session,
    `select database, table, name, expr from system.data_skipping_indices
      where database in (${literals(schemas)}) order by database, table, name limit ${catalogueRowsMax}`,
  );
  return rows.map(([schema, table, name, expression]) => ({
    schema: String(schema),
    table: String(table),
    name: String(name),
    expression: String(expression),
  }));
}

async function read(session: Session, sql: string): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for await (const { rowCount, columns } of (await startRead(session, { sql }, limits)).batches) {
    for (let row = 0; row < rowCount; row++) rows.push(columns.map((column) => column[row] ?? null));
  }
  return rows;
}
