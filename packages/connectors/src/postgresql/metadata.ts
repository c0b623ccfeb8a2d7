import type pg from 'pg';
import { groupBy, metadataChoice } from '../metadata-choice.ts';
import type { Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import { openSession, type SessionGuards } from './connection/session.ts';
import type { PostgresqlConnection } from './settings.ts';

const limits = { maxBytes: 256 * 1024 * 1024, maxCellBytes: 8 * 1024 * 1024 };

/** Reads the schemas, tables and views that are visible to the role, from the catalogue. */
export async function readPostgresqlMetadata(
  connection: PostgresqlConnection,
  options: MetadataOptions,
  guards: SessionGuards,
): Promise<Metadata> {
  const session = await openSession(connection, { ...options, limits, guards });
  try {
    const choice = metadataChoice(options);
    const schemas = (await listSchemas(session.client)).filter(choice.isWanted);
    const tables = await listTables(session.client, schemas, choice.maxTables + 1);
    const shownTables = tables.slice(0, choice.maxTables);
    const ids = choice.tableNamesOnly ? [] : shownTables.map((table) => table.id);
    const columns = groupBy(
      await listColumns(session.client, ids, choice.maxColumnsPerTable + 1),
      (row) => row.table_id,
    );
    const keys = groupBy(await listKeys(session.client, ids), (row) => row.table_id);
    const indexes = groupBy(await listIndexes(session.client, ids), (row) => row.table_id);
    await session.finish();
    return {
      schemas,
      tables: shownTables.map((table) =>
        presentTable(table, columns, keys, indexes, choice.maxColumnsPerTable),
      ),
      areTablesCut: tables.length > shownTables.length,
      areColumnsCut: [...columns.values()].some((list) => list.length > choice.maxColumnsPerTable),
    };
  } catch (error) {
    const explained = session.explain(error);
    await session.abandon();
    throw explained;
  }
}

function presentTable(
  table: TableRow,
  columns: Map<string, ColumnRow[]>,
  keys: Map<string, KeyRow[]>,
  indexes: Map<string, IndexRow[]>,
  maxColumns: number,
): TableMetadata {
  const ownKeys = keys.get(table.id) ?? [];
  return {
    schema: table.schema,
    name: table.name,
    type: table.is_view ? 'View' : 'Table',
    comment: table.comment,
    columns: (columns.get(table.id) ?? []).slice(0, maxColumns).map((column) => ({
      name: column.name,
      databaseType: column.type,
      isNullable: column.is_nullable,
      defaultValue: column.default_value,
      comment: column.comment,
    })),
    primaryKey: ownKeys.find((key) => key.is_primary)?.columns ?? [],
    foreignKeys: ownKeys.flatMap((key) =>
      key.to_schema === null || key.to_table === null
        ? []
        : [
            {
              name: key.name,
              columns: key.columns,
              toSchema: key.to_schema,
              toTable: key.to_table,
              toColumns: key.to_columns ?? [],
            },
          ],
    ),
    indexes: (indexes.get(table.id) ?? []).map((index) => ({
      name: index.name,
      isUnique: index.is_unique,
      isPrimary: index.is_primary,
      columns: index.columns,
    })),
  };
}

async function listSchemas(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_catalog.pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'
        and pg_catalog.has_schema_privilege(oid, 'USAGE')
      order by nspname collate "C"`,
  );
  return rows.map((row) => row.name);
}

type TableRow = { id: string; schema: string; name: string; is_view: boolean; comment: string | null };

/** Omits partitions: their parent table represents them. */
async function listTables(client: pg.Client, schemas: readonly string[], limit: number): Promise<TableRow[]> {
  const { rows } = await client.query<TableRow>(
    `select c.oid::text as id, n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as is_view,
            pg_catalog.obj_description(c.oid, 'pg_class') as comment
       from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
        and pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
      order by n.nspname collate "C", c.relname collate "C"
      limit $2`,
    [schemas, limit],
  );
  return rows;
}

type ColumnRow = {
  table_id: string;
  name: string;
  type: string;
  is_nullable: boolean;
  default_value: string | null;
  comment: string | null;
};

async function listColumns(client: pg.Client, ids: readonly string[], limit: number): Promise<ColumnRow[]> {
  const { rows } = await client.query<ColumnRow>(
    `select a.attrelid::text as table_id, a.attname as name, pg_catalog.format_type(a.atttypid, a.atttypmod) as type,
            not a.attnotnull as is_nullable, left(pg_catalog.pg_get_expr(d.adbin, d.adrelid), 500) as default_value,
            pg_catalog.col_description(a.attrelid, a.attnum) as comment
       from pg_catalog.pg_attribute a
       left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = any ($1::oid[]) and a.attnum between 1 and $2 + 600 and not a.attisdropped
        and (select count(*) from pg_catalog.pg_attribute b
              where b.attrelid = a.attrelid and b.attnum between 1 and a.attnum and not b.attisdropped) <= $2
      order by a.attrelid, a.attnum`,
    [ids, limit],
  );
  return rows;
}

type KeyRow = {
  table_id: string;
  name: string;
  is_primary: boolean;
  columns: string[];
  to_schema: string | null;
  to_table: string | null;
  to_columns: string[] | null;
};

async function listKeys(client: pg.Client, ids: readonly string[]): Promise<KeyRow[]> {
  const { rows } = await client.query<KeyRow>(
    `select k.conrelid::text as table_id, k.conname as name, k.contype = 'p' as is_primary,
            array(select a.attname::text from unnest(k.conkey) with ordinality as u (number, place)
                    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number
                   order by u.place) as columns,
            n.nspname as to_schema, c.relname as to_table,
            case when k.contype = 'f' then
              array(select a.attname::text from unnest(k.confkey) with ordinality as u (number, place)
                      join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number
                     order by u.place) end as to_columns
       from pg_catalog.pg_constraint k
       left join pg_catalog.pg_class c on c.oid = k.confrelid
       left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where k.conrelid = any ($1::oid[]) and k.contype in ('p', 'f')
      order by k.conrelid, k.conname collate "C"`,
    [ids],
  );
  return rows;
}

type IndexRow = {
  table_id: string;
  name: string;
  is_unique: boolean;
  is_primary: boolean;
  columns: string[];
};

async function listIndexes(client: pg.Client, ids: readonly string[]): Promise<IndexRow[]> {
  const { rows } = await client.query<IndexRow>(
    `select i.indrelid::text as table_id, c.relname as name, i.indisunique as is_unique, i.indisprimary as is_primary,
            array(select coalesce(a.attname::text, pg_catalog.pg_get_indexdef(i.indexrelid, u.place::int, true))
                    from unnest(i.indkey::int2[]) with ordinality as u (number, place)
                    left join pg_catalog.pg_attribute a
                      on a.attrelid = i.indrelid and a.attnum = u.number and u.number > 0
                   where u.place <= i.indnkeyatts
                   order by u.place) as columns
       from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
      where i.indrelid = any ($1::oid[])
      order by i.indrelid, c.relname collate "C"`,
    [ids],
  );
  return rows;
}
