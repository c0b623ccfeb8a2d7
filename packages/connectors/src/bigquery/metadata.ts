import { property } from '../http/json/json-property.ts';
import { groupBy, type MetadataChoice, metadataChoice } from '../metadata-choice.ts';
import type { ForeignKeyMetadata, Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import { bigqueryDialect } from '../sql/dialects.ts';
import type { Cell } from '../values.ts';
import type { Account } from './api.ts';
import { unreadableAnswer } from './errors.ts';
import { startRead } from './execute.ts';
import { unquoted } from './option-literal.ts';
import { openSession, type Session } from './session.ts';

const datasetsMax = 500;
/** Maximum number of datasets per statement. Each dataset costs at least the minimum charge of a scan. */
const datasetsPerStatement = 25;
const limits = {
  maxRows: 200_000,
  maxBytes: 256 * 1_024 * 1_024,
  maxCellBytes: 1_024 * 1_024,
  keepsSession: true,
};

/** Reads the datasets of the project that are visible to the account, from their `INFORMATION_SCHEMA`. */
export async function readBigQueryMetadata(account: Account, options: MetadataOptions): Promise<Metadata> {
  const session = await openSession(account, options);
  try {
    return await readAll(session, metadataChoice(options));
  } catch (error) {
    throw session.explain(error);
  } finally {
    await session.end();
  }
}

type DatasetContents = {
  readonly tables: TableRow[];
  readonly columns: ColumnRow[];
  readonly keys: KeyRow[];
};

async function readAll(session: Session, choice: MetadataChoice): Promise<Metadata> {
  const listed = await listDatasets(session);
  const datasets = listed.datasets.filter(({ name }) => choice.isWanted(name));
  const contents: DatasetContents = { tables: [], columns: [], keys: [] };
  for (const group of groupsOf(datasets)) {
    addAll(contents.tables, await listTables(session, group));
    if (contents.tables.length > choice.maxTables) break;
    if (choice.tableNamesOnly) continue;
    addAll(contents.columns, await listColumns(session, group));
    addAll(contents.keys, await listKeys(session, group));
  }
  const schemas = datasets.map(({ name }) => name);
  return present(contents, choice, { schemas, areDatasetsCut: listed.isCut });
}

/** Adds the items one by one: the number of arguments of one call is limited. */
function addAll<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each);
}

/** Datasets of one location, which one statement can query together. */
type Group = { readonly location: string; readonly datasets: readonly string[] };

function groupsOf(datasets: readonly Dataset[]): Group[] {
  const groups: Group[] = [];
  for (const [location, all] of groupBy(datasets, (dataset) => dataset.location)) {
    const names = all.map(({ name }) => name);
    for (let from = 0; from < names.length; from += datasetsPerStatement)
      groups.push({ location, datasets: names.slice(from, from + datasetsPerStatement) });
  }
  return groups;
}

function present(
  { tables, columns, keys }: DatasetContents,
  choice: MetadataChoice,
  { schemas, areDatasetsCut }: { readonly schemas: readonly string[]; readonly areDatasetsCut: boolean },
): Metadata {
  const shownTables = tables.sort(byName).slice(0, choice.maxTables);
  const columnsByTable = groupBy(columns, keyOfTable);
  const keysByTable = groupBy(keys, keyOfTable);
  return {
    schemas,
    tables: shownTables.map((table) =>
      presentTable(
        table,
        columnsByTable.get(keyOfTable(table)) ?? [],
        keysByTable,
        choice.maxColumnsPerTable,
      ),
    ),
    areTablesCut: areDatasetsCut || tables.length > shownTables.length,
    areColumnsCut: shownTables.some(
      (table) => (columnsByTable.get(keyOfTable(table))?.length ?? 0) > choice.maxColumnsPerTable,
    ),
  };
}

type OfTable = { readonly schema: string; readonly table: string };
const keyOfTable = ({ schema, table }: OfTable): string => JSON.stringify([schema, table]);
const byName = (a: OfTable, b: OfTable): number =>
  a.schema === b.schema ? compare(a.table, b.table) : compare(a.schema, b.schema);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function presentTable(
  table: TableRow,
  columns: readonly ColumnRow[],
  keysByTable: ReadonlyMap<string, readonly KeyRow[]>,
  maxColumns: number,
): TableMetadata {
  const keys = keysByTable.get(keyOfTable(table)) ?? [];
  const primaryKey = keys.filter(({ isPrimary }) => isPrimary).map(({ column }) => column);
  return {
    schema: table.schema,
    name: table.table,
    type: table.isView ? 'View' : 'Table',
    comment: table.comment,
    columns: columns.slice(0, maxColumns).map((column) => ({
      name: column.name,
      databaseType: column.type,
      isNullable: column.isNullable,
      defaultValue: column.defaultValue,
      comment: column.comment,
    })),
    primaryKey,
    foreignKeys: foreignKeys(keys, keysByTable),
    // BigQuery does not enforce keys and has no indexes for them.
    indexes: [],
  };
}

function foreignKeys(
  keys: readonly KeyRow[],
  keysByTable: ReadonlyMap<string, readonly KeyRow[]>,
): ForeignKeyMetadata[] {
  const byConstraint = groupBy(
    keys.filter(({ isPrimary }) => !isPrimary),
    ({ name }) => name,
  );
  return [...byConstraint.values()].flatMap((parts) => {
    const [{ name, toSchema, toTable } = { name: '', toSchema: null, toTable: null }] = parts;
    if (toSchema === null || toTable === null) return [];
    // A foreign key refers to the primary key of the other table by column positions.
    const target = (keysByTable.get(keyOfTable({ schema: toSchema, table: toTable })) ?? []).filter(
      ({ isPrimary }) => isPrimary,
    );
    const toColumns = parts.flatMap(({ toPosition }) => target[toPosition - 1]?.column ?? []);
    if (toColumns.length !== parts.length) return [];
    // The name of a constraint begins with the name of its table, which is stored separately.
    const shown = name.slice(name.indexOf('.') + 1);
    return [{ name: shown, columns: parts.map(({ column }) => column), toSchema, toTable, toColumns }];
  });
}

const datasetForm = /^\w{1,1024}$/;

const locationForm = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

type Dataset = { readonly name: string; readonly location: string };

function readDataset(dataset: unknown): Dataset {
  const name = property(property(dataset, 'datasetReference'), 'datasetId');
  const location = property(dataset, 'location');
  if (typeof name !== 'string' || !datasetForm.test(name)) throw unreadableAnswer();
  if (typeof location !== 'string' || !locationForm.test(location)) throw unreadableAnswer();
  return { name, location };
}

/** Lists the datasets of the connection's location, or all datasets for a connection without a location. */
async function listDatasets(session: Session): Promise<{ datasets: Dataset[]; isCut: boolean }> {
  const locationName = session.account.connection.location.toLowerCase();
  const datasetsOfLocation: Dataset[] = [];
  let pageToken: string | undefined;
  do {
    const query = new URLSearchParams({ maxResults: '100', ...(pageToken !== undefined && { pageToken }) });
    const answer = await session.ask({ access: 'read', path: `datasets?${query}` });
    const datasets = property(answer, 'datasets') ?? [];
    if (!Array.isArray(datasets)) throw unreadableAnswer();
    const read = datasets.map(readDataset);
    datasetsOfLocation.push(
      ...read.filter(({ location }) => locationName === '' || location.toLowerCase() === locationName),
    );
    const next = property(answer, 'nextPageToken');
    pageToken = datasets.length > 0 && typeof next === 'string' && next !== '' ? next : undefined;
  } while (pageToken !== undefined && datasetsOfLocation.length <= datasetsMax);
  const datasets = datasetsOfLocation.slice(0, datasetsMax).sort((a, b) => compare(a.name, b.name));
  return { datasets, isCut: datasetsOfLocation.length > datasetsMax };
}

/** Returns one statement for several datasets: the union of the `part` of each dataset. */
const ofEach = ({ datasets }: Group, part: (schema: string) => string): string =>
  datasets.map((name) => part(`${bigqueryDialect.quote(name)}.INFORMATION_SCHEMA`)).join('\nunion all\n');

type TableRow = OfTable & { readonly isView: boolean; readonly comment: string | null };

async function listTables(session: Session, group: Group): Promise<TableRow[]> {
  const sql = ofEach(
    group,
    (schema) => `select t.table_schema, t.table_name, t.table_type, o.option_value from ${schema}.TABLES t
left join ${schema}.TABLE_OPTIONS o on o.table_name = t.table_name and o.option_name = 'description'`,
  );
  return (await read(session, group, sql)).map(([schema, table, type, description]) => ({
    schema: String(schema),
    table: String(table),
    isView: /VIEW$/.test(String(type)),
    comment: typeof description === 'string' ? unquoted(description) : null,
  }));
}

type ColumnRow = OfTable & {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly defaultValue: string | null;
  readonly comment: string | null;
};

const textOrNull = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined || cell === 'NULL' || cell === '' ? null : String(cell);

async function listColumns(session: Session, group: Group): Promise<ColumnRow[]> {
  const sql = ofEach(
    group,
    (schema) => `select c.table_schema, c.table_name, c.column_name, c.data_type, c.is_nullable,
substr(c.column_default, 1, 500), f.description, c.ordinal_position from ${schema}.COLUMNS c
left join ${schema}.COLUMN_FIELD_PATHS f on f.table_name = c.table_name and f.field_path = c.column_name`,
  );
  const rows = await read(session, group, `${sql}\norder by 1, 2, 8`);
  return rows.map(([schema, table, name, type, isNullable, defaultValue, comment]) => ({
    schema: String(schema),
    table: String(table),
    name: String(name),
    type: String(type),
    isNullable: isNullable === 'YES',
    defaultValue: textOrNull(defaultValue),
    comment: textOrNull(comment),
  }));
}

type KeyRow = OfTable & {
  readonly name: string;
  readonly isPrimary: boolean;
  readonly column: string;
  readonly toSchema: string | null;
  readonly toTable: string | null;
  /** Position of the column in the other table's primary key, from 1. */
  readonly toPosition: number;
};

/** Lists primary and foreign keys, one column per row, in the order of their columns. */
async function listKeys(session: Session, group: Group): Promise<KeyRow[]> {
  const sql = ofEach(
    group,
    (schema) => `select k.table_schema, k.table_name, k.constraint_name, c.constraint_type, k.column_name,
r.table_schema as to_schema, r.table_name as to_table, k.position_in_unique_constraint, k.ordinal_position
from ${schema}.KEY_COLUMN_USAGE k
join ${schema}.TABLE_CONSTRAINTS c on c.constraint_name = k.constraint_name and c.table_name = k.table_name
left join (select distinct constraint_name, table_schema, table_name from ${schema}.CONSTRAINT_COLUMN_USAGE) r
on r.constraint_name = k.constraint_name and c.constraint_type = 'FOREIGN KEY'`,
  );
  const rows = await read(session, group, `${sql}\norder by 1, 2, 3, 9`);
  return rows.map(([schema, table, name, type, column, toSchema, toTable, toPosition]) => ({
    schema: String(schema),
    table: String(table),
    name: String(name),
    column: String(column),
    isPrimary: type === 'PRIMARY KEY',
    toSchema: textOrNull(toSchema),
    toTable: textOrNull(toTable),
    toPosition: Number(toPosition ?? 0),
  }));
}

async function read(session: Session, { location }: Group, sql: string): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  const { batches } = await startRead(session, { sql }, { ...limits, location });
  for await (const { rowCount, columns } of batches) {
    for (let row = 0; row < rowCount; row++) rows.push(columns.map((column) => column[row] ?? null));
  }
  return rows;
}
