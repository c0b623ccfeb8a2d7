import { groupBy, type MetadataChoice, metadataChoice } from '../metadata-choice.ts';
import type { ForeignKeyMetadata, IndexMetadata, Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import type { Cell } from '../values.ts';
import { openSession, rowsOf, type Session } from './session.ts';
import type { SqlserverConnection } from './settings.ts';

const systemSchemas = new Set(['sys', 'information_schema']);
const catalogueRowsMax = 200_000;
const limits = { maxBytes: 256 * 1024 * 1024, maxCellBytes: 1024 * 1024 };

/** Reads the schemas that are visible to the login, from `sys`. */
export async function readSqlserverMetadata(
  connection: SqlserverConnection,
  options: MetadataOptions,
): Promise<Metadata> {
  const session = await openSession(connection, options);
  try {
    const metadata = await readAll(session, metadataChoice(options));
    await session.finish();
    return metadata;
  } catch (error) {
    const explained = session.explain(error);
    void session.abandon();
    throw explained;
  }
}

type OfTable = { readonly tableId: Cell };
const keyOfTable = ({ tableId }: OfTable): string => String(tableId);

async function readAll(session: Session, choice: MetadataChoice): Promise<Metadata> {
  const all = await listTables(session);
  const tables = all.filter(({ schema }) => choice.isWanted(schema));
  const shownTables = tables.slice(0, choice.maxTables);
  const isDetailed = !choice.tableNamesOnly && shownTables.length > 0;
  const columns = groupBy(isDetailed ? await listColumns(session) : [], keyOfTable);
  const indexes = groupBy(isDetailed ? await listIndexColumns(session) : [], keyOfTable);
  const foreignKeys = groupBy(isDetailed ? await listKeyColumns(session) : [], keyOfTable);
  return {
    schemas: [...new Set(tables.map(({ schema }) => schema))],
    tables: shownTables.map((table) => presentTable(table, { columns, indexes, foreignKeys }, choice)),
    areTablesCut: tables.length > shownTables.length,
    areColumnsCut: shownTables.some(
      (table) => (columns.get(keyOfTable(table))?.length ?? 0) > choice.maxColumnsPerTable,
    ),
  };
}

type Details = {
  readonly columns: ReadonlyMap<string, readonly ColumnRow[]>;
  readonly indexes: ReadonlyMap<string, readonly IndexRow[]>;
  readonly foreignKeys: ReadonlyMap<string, readonly KeyRow[]>;
};

function presentTable(
  table: TableRow,
  { columns, indexes, foreignKeys }: Details,
  { maxColumnsPerTable }: MetadataChoice,
): TableMetadata {
  const tableIndexes = indexesOf(indexes.get(keyOfTable(table)) ?? []);
  return {
    schema: table.schema,
    name: table.name,
    type: table.isView ? 'View' : 'Table',
    comment: table.comment,
    columns: (columns.get(keyOfTable(table)) ?? [])
      .slice(0, maxColumnsPerTable)
      .map(({ tableId: _tableId, ...column }) => column),
    primaryKey: tableIndexes.find(({ isPrimary }) => isPrimary)?.columns ?? [],
    foreignKeys: foreignKeysOf(foreignKeys.get(keyOfTable(table)) ?? []),
    indexes: tableIndexes,
  };
}

const indexesOf = (rows: readonly IndexRow[]): IndexMetadata[] =>
  [...groupBy(rows, ({ name }) => name).values()].map(([first, ...others]) => ({
    name: first?.name ?? '',
    isUnique: first?.isUnique ?? false,
    isPrimary: first?.isPrimary ?? false,
    columns: [...(first ? [first] : []), ...others].map(({ column }) => column),
  }));

const foreignKeysOf = (rows: readonly KeyRow[]): ForeignKeyMetadata[] =>
  [...groupBy(rows, ({ name }) => name).values()].map((keyRows) => ({
    name: keyRows[0]?.name ?? '',
    columns: keyRows.map(({ column }) => column),
    toSchema: keyRows[0]?.toSchema ?? '',
    toTable: keyRows[0]?.toTable ?? '',
    toColumns: keyRows.map(({ toColumn }) => toColumn),
  }));

const textOf = (cell: Cell | undefined): string => String(cell ?? '');
const textOrNull = (cell: Cell | undefined): string | null => (cell == null ? null : String(cell));
const isTrue = (cell: Cell | undefined): boolean => cell === true || cell === 1;

type TableRow = OfTable & {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly comment: string | null;
};

/** Returns the description from the extended property that the vendor's tools write. */
const description = (objectId: string, columnId: string): string =>
  `(select cast(d.value as nvarchar(1000)) from sys.extended_properties d
     where d.class = 1 and d.major_id = ${objectId} and d.minor_id = ${columnId} and d.name = N'MS_Description')`;

async function listTables(session: Session): Promise<TableRow[]> {
  const rows = await read(
    session,
    `select top (${catalogueRowsMax}) o.object_id, s.name, o.name, cast(case o.type when 'V' then 1 else 0 end as bit),
       ${description('o.object_id', '0')}
     from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
     where o.type in ('U', 'V') and o.is_ms_shipped = 0
     order by s.name, o.name`,
  );
  return rows
    .map(([tableId = null, schema, name, isView, comment]) => ({
      tableId,
      schema: textOf(schema),
      name: textOf(name),
      isView: isTrue(isView),
      comment: textOrNull(comment),
    }))
    .filter(({ schema }) => !systemSchemas.has(schema.toLowerCase()));
}

type ColumnRow = OfTable & TableMetadata['columns'][number];

async function listColumns(session: Session): Promise<ColumnRow[]> {
  const rows = await read(
    session,
    `select top (${catalogueRowsMax}) c.object_id, c.name, t.name, c.max_length, c.precision, c.scale, c.is_nullable,
       cast(d.definition as nvarchar(500)), ${description('c.object_id', 'c.column_id')}
     from sys.columns c
     join sys.objects o on o.object_id = c.object_id and o.type in ('U', 'V') and o.is_ms_shipped = 0
     join sys.types t on t.user_type_id = c.user_type_id
     left join sys.default_constraints d on d.object_id = c.default_object_id
     order by c.object_id, c.column_id`,
  );
  return rows.map(
    ([tableId = null, name, type, length, precision, scale, isNullable, defaultValue, comment]) => ({
      tableId,
      name: textOf(name),
      databaseType: typeName(textOf(type), Number(length), Number(precision), Number(scale)),
      isNullable: isTrue(isNullable),
      defaultValue: textOrNull(defaultValue),
      comment: textOrNull(comment),
    }),
  );
}

const ofBytes = new Set(['char', 'varchar', 'binary', 'varbinary']);
/** Types whose length is reported in bytes, two per character. */
const ofWideCharacters = new Set(['nchar', 'nvarchar']);
const unbounded = -1;

/** Returns the type with its length or precision, as a statement writes it. */
function typeName(type: string, length: number, precision: number, scale: number): string {
  if (type === 'decimal' || type === 'numeric') return `${type}(${precision},${scale})`;
  if (type === 'datetime2' || type === 'datetimeoffset' || type === 'time') return `${type}(${scale})`;
  const isWide = ofWideCharacters.has(type);
  if (!isWide && !ofBytes.has(type)) return type;
  return `${type}(${length === unbounded ? 'max' : isWide ? length / 2 : length})`;
}

type IndexRow = OfTable & {
  readonly name: string;
  readonly isUnique: boolean;
  readonly isPrimary: boolean;
  readonly column: string;
};

async function listIndexColumns(session: Session): Promise<IndexRow[]> {
  const rows = await read(
    session,
    `select top (${catalogueRowsMax}) i.object_id, i.name, i.is_unique, i.is_primary_key, c.name
     from sys.indexes i
     join sys.objects o on o.object_id = i.object_id and o.type in ('U', 'V') and o.is_ms_shipped = 0
     join sys.index_columns x on x.object_id = i.object_id and x.index_id = i.index_id and x.key_ordinal > 0
     join sys.columns c on c.object_id = x.object_id and c.column_id = x.column_id
     where i.is_hypothetical = 0 and i.name is not null
     order by i.object_id, i.index_id, x.key_ordinal`,
  );
  return rows.map(([tableId = null, name, isUnique, isPrimary, column]) => ({
    tableId,
    name: textOf(name),
    isUnique: isTrue(isUnique),
    isPrimary: isTrue(isPrimary),
    column: textOf(column),
  }));
}

type KeyRow = OfTable & {
  readonly name: string;
  readonly column: string;
  readonly toSchema: string;
  readonly toTable: string;
  readonly toColumn: string;
};

async function listKeyColumns(session: Session): Promise<KeyRow[]> {
  const rows = await read(
    session,
    `select top (${catalogueRowsMax}) k.parent_object_id, k.name, c.name, s.name, o.name, r.name
     from sys.foreign_keys k
     join sys.foreign_key_columns x on x.constraint_object_id = k.object_id
     join sys.columns c on c.object_id = x.parent_object_id and c.column_id = x.parent_column_id
     join sys.objects o on o.object_id = k.referenced_object_id
     join sys.schemas s on s.schema_id = o.schema_id
     join sys.columns r on r.object_id = x.referenced_object_id and r.column_id = x.referenced_column_id
     order by k.parent_object_id, k.name, x.constraint_column_id`,
  );
  return rows.map(([tableId = null, name, column, toSchema, toTable, toColumn]) => ({
    tableId,
    name: textOf(name),
    column: textOf(column),
    toSchema: textOf(toSchema),
    toTable: textOf(toTable),
    toColumn: textOf(toColumn),
  }));
}

const read = (session: Session, sql: string): Promise<(readonly Cell[])[]> =>
  rowsOf(session.askBatch(sql, limits));
