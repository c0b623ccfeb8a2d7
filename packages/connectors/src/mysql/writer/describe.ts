import type { ColumnKind } from '../../values.ts';
import {
  type DestinationColumn,
  type DestinationTable,
  noCascades,
  type TableName,
  type WriteMode,
} from '../../writers/port.ts';
import { cascadedTables } from './cascades.ts';
import { missingOn, readGrants } from './grants.ts';
import type { WritingSession } from './session.ts';

/** Column with the type details that its encoder needs. */
export type MysqlColumn = DestinationColumn & {
  /** Type name without length, such as `varchar`. */
  readonly dataType: string;
  readonly charactersMax: number | null;
  readonly bytesMax: number | null;
  /** Stored digits after the point; null: as many as the type has. */
  readonly scale: number | null;
  /** Stored fraction digits of a second. */
  readonly timePlaces: number;
  /** Members of an `enum` or a `set`. */
  readonly members: readonly string[];
};

export type MysqlTable = Omit<DestinationTable, 'columns'> & { readonly columns: readonly MysqlColumn[] };

type Session = Pick<WritingSession, 'rows'>;
type TableRow = {
  type: string;
  engine: string | null;
  estimate: string | number | null;
  triggers: number | string;
};

const systemSchemas = new Set(['information_schema', 'mysql', 'performance_schema', 'sys']);
/** Engines with transactions. */
const transactionalEngines = new Set(['innodb', 'rocksdb']);

/** Returns all facts about a table that decide whether and how it can be written. Undefined: no table exists. */
export async function describeTable(session: Session, name: TableName): Promise<MysqlTable | undefined> {
  const place = [name.schema, name.table];
  const [row] = await session.rows<TableRow>(
    `select t.table_type as type, t.engine as engine, t.table_rows as estimate,
        (select count(*) from information_schema.triggers g
          where g.event_object_schema = t.table_schema and g.event_object_table = t.table_name) as triggers
      from information_schema.tables t where t.table_schema = ? and t.table_name = ?`,
    place,
  );
  if (!row) return undefined;
  const columns = await session.rows<ColumnRow>(columnStatement, place);
  const keys = await uniqueKeys(session, place);
  const grants = await readGrants(session);
  const cascaded = await cascadedTables(session, place);
  const engine = String(row.engine ?? '');
  return {
    columns: columns.map(columnOf),
    uniqueKeys: [...keys.values()],
    primaryKey: keys.get('PRIMARY') ?? [],
    estimatedRows: row.estimate === null ? null : Number(row.estimate),
    isTable: row.type === 'BASE TABLE' && !systemSchemas.has(name.schema.toLowerCase()),
    hasTriggers: Number(row.triggers) > 0,
    hidesRows: false,
    // `Truncate` deletes row by row here, and foreign keys follow.
    cascades: { ...noCascades, Truncate: cascaded, Sync: cascaded },
    unfit: transactionalEngines.has(engine.toLowerCase())
      ? []
      : [`its engine ${engine} has no transactions, so that a copy could be seen half done`],
    missingPrivileges: missingPrivileges((privileges) => missingOn(grants, name, privileges)),
  };
}

/** Returns the missing rights to create a table, and to rename the table of a copy. */
export async function missingToCreate(session: Session, { schema, table }: TableName): Promise<string[]> {
  const rows = await session.rows('select 1 from information_schema.schemata where schema_name = ?', [
    schema,
  ]);
  if (rows.length === 0) return ['the schema itself'];
  return missingOn(await readGrants(session), { schema, table }, creating).map(onTheSchema);
}

const creating = ['CREATE', 'DROP', 'ALTER', 'INSERT', 'SELECT'] as const;
const onTheSchema = (privilege: string): string => `${privilege} on the schema`;

function missingPrivileges(
  missing: (privileges: readonly string[]) => string[],
): Record<WriteMode, readonly string[]> {
  const of = (more: readonly string[]) =>
    missing(['CREATE', 'DROP', 'ALTER', 'SELECT', 'INSERT', ...more]).map(onTheSchema);
  const change = of(['UPDATE']);
  return { Insert: of([]), Upsert: change, Truncate: of(['DELETE']), Sync: of(['UPDATE', 'DELETE']) };
}

type ColumnRow = {
  name: string;
  data_type: string;
  column_type: string;
  nullable: string;
  has_default: number | string;
  extra: string;
  characters: string | number | null;
  bytes: string | number | null;
  scale: string | number | null;
  places: string | number | null;
};

/** MariaDB reports the default NULL as text, and MySQL omits it. Neither is a default for a column that needs a value. */
const columnStatement = `
  select column_name as name, lower(data_type) as data_type, column_type as column_type, is_nullable as nullable,
         (column_default is not null and column_default <> 'NULL') or extra like '%auto_increment%' as has_default,
         lower(extra) as extra, character_maximum_length as characters, character_octet_length as bytes,
         numeric_scale as scale, datetime_precision as places
    from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position`;

/** Returns unique keys of whole columns. A key on a prefix of a text distinguishes rows differently. */
async function uniqueKeys(session: Session, place: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await session.rows<{ name: string; column: string | null; part: unknown }>(
    `select index_name as name, column_name as \`column\`, sub_part as part from information_schema.statistics
      where table_schema = ? and table_name = ? and non_unique = 0
      order by index_name <> 'PRIMARY', index_name, seq_in_index`,
    place,
  );
  const partial = new Set(
    rows.flatMap(({ name, column, part }) => (column === null || part !== null ? [name] : [])),
  );
  const keys = new Map<string, string[]>();
  for (const { name, column } of rows) {
    if (!partial.has(name) && column !== null) keys.set(name, [...(keys.get(name) ?? []), column]);
  }
  return keys;
}

const kinds = new Map<string, ColumnKind>([
  ...['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'bit', 'year'].map(
    (type) => [type, 'integer'] as const,
  ),
  ...['decimal', 'numeric'].map((type) => [type, 'decimal'] as const),
  ...['float', 'double'].map((type) => [type, 'float'] as const),
  ...['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'set'].map(
    (type) => [type, 'text'] as const,
  ),
  ...['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'].map(
    (type) => [type, 'binary'] as const,
  ),
  ['date', 'date'],
  ['time', 'time'],
  ['datetime', 'timestamp'],
  ['timestamp', 'timestamptz'],
  ['json', 'json'],
  ['uuid', 'uuid'],
]);

const orNull = (value: string | number | null): number | null => (value === null ? null : Number(value));

const columnOf = (row: ColumnRow): MysqlColumn => ({
  name: row.name,
  databaseType: row.column_type,
  kind: kinds.get(row.data_type) ?? 'other',
  isNullable: row.nullable === 'YES',
  hasDefault: Number(row.has_default) > 0,
  isGenerated: /(virtual|stored|persistent) generated|\b(virtual|persistent)\b/.test(row.extra),
  dataType: row.data_type,
  charactersMax: orNull(row.characters),
  bytesMax: orNull(row.bytes),
  scale: orNull(row.scale),
  timePlaces: Number(row.places ?? 0),
  members: row.data_type === 'enum' || row.data_type === 'set' ? membersOf(row.column_type) : [],
});

/** Parses the members of `enum('a','it''s')`. */
const membersOf = (columnType: string): string[] =>
  [...columnType.matchAll(/'((?:[^']|'')*)'/g)].map(([, member = '']) => member.replaceAll("''", "'"));
