import type pg from 'pg';
import {
  type CascadedTable,
  type DestinationColumn,
  type DestinationTable,
  noCascades,
  type TableName,
  type WriteMode,
} from '../../writers/port.ts';
import { postgresqlType } from '../execute/types.ts';

/** Column with the type details that its encoder needs. */
export type PostgresqlColumn = DestinationColumn & {
  /** Object id of the type; of the base type for a domain. */
  readonly typeOid: number;
  /** Length, or precision and scale, in the server's packed form; -1: none. */
  readonly typeModifier: number;
};

export type PostgresqlTable = Omit<DestinationTable, 'columns'> & {
  readonly columns: readonly PostgresqlColumn[];
};

type TableRow = {
  id: string;
  kind: string;
  estimate: string;
  has_triggers: boolean;
  hides_rows: boolean;
  lacks: string[];
};

/** Returns all facts about a table that decide whether and how it can be written. Undefined: no table exists. */
export async function describeTable(
  client: pg.Client,
  { schema, table }: TableName,
): Promise<PostgresqlTable | undefined> {
  const { rows } = await client.query<TableRow>(tableStatement, [schema, table]);
  const [row] = rows;
  if (!row) return undefined;
  const columns = await client.query<ColumnRow>(columnStatement, [row.id]);
  const keys = await client.query<{ is_primary: boolean; columns: string[] }>(keyStatement, [row.id]);
  const cascaded = await client.query<CascadedTable>(cascadesStatement, [row.id]);
  const estimate = Number(row.estimate);
  return {
    columns: columns.rows.map(columnOf),
    uniqueKeys: keys.rows.map((key) => key.columns),
    primaryKey: keys.rows.find((key) => key.is_primary)?.columns ?? [],
    estimatedRows: estimate < 0 ? null : estimate,
    isTable: row.kind === 'r' || row.kind === 'p',
    unfit: [],
    hasTriggers: row.has_triggers,
    hidesRows: row.hides_rows,
    // The server refuses `truncate` if other tables refer to this one.
    cascades: { ...noCascades, Sync: cascaded.rows },
    missingPrivileges: missingPrivileges(row.lacks),
  };
}

/** A new table needs only the CREATE privilege on its schema. */
export async function missingToCreate(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ lacks: string | null }>(
    `select case when n.oid is null then 'the schema itself'
                 when not pg_catalog.has_schema_privilege(n.oid, 'CREATE') then 'CREATE on the schema' end as lacks
       from (select $1::text as name) w left join pg_catalog.pg_namespace n on n.nspname = w.name`,
    [schema],
  );
  return rows.flatMap(({ lacks }) => (lacks === null ? [] : [lacks]));
}

/** Each mode reads the rows that it compares or counts, and creates its own tables next to the destination. */
const privilegesOf: Readonly<Record<WriteMode, readonly string[]>> = {
  Insert: ['CREATE', 'INSERT'],
  Upsert: ['CREATE', 'INSERT', 'UPDATE', 'SELECT'],
  Truncate: ['CREATE', 'INSERT', 'TRUNCATE', 'SELECT'],
  Sync: ['CREATE', 'INSERT', 'UPDATE', 'DELETE', 'SELECT'],
};

function missingPrivileges(lacks: readonly string[]): Record<WriteMode, readonly string[]> {
  const of = (mode: WriteMode) =>
    privilegesOf[mode]
      .filter((privilege) => lacks.includes(privilege))
      .map((privilege) => `${privilege} on the ${privilege === 'CREATE' ? 'schema' : 'table'}`);
  return { Insert: of('Insert'), Upsert: of('Upsert'), Truncate: of('Truncate'), Sync: of('Sync') };
}

const tableStatement = `
  select c.oid::text as id, c.relkind::text as kind, c.reltuples::bigint::text as estimate,
         exists (select from pg_catalog.pg_trigger t
                  where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D') as has_triggers,
         pg_catalog.row_security_active(c.oid) as hides_rows,
         array(select p from unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'SELECT']) as p
                where not pg_catalog.has_table_privilege(c.oid, p))
           || case when pg_catalog.has_schema_privilege(n.oid, 'CREATE') then '{}'::text[] else '{CREATE}' end as lacks
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

/** Finds foreign keys that follow deleted rows, transitively. A foreign key that only changes rows is not followed further. */
const cascadesStatement = `
  with recursive f(id, deletes) as (
    select k.conrelid, k.confdeltype = 'c' from pg_catalog.pg_constraint k
     where k.confrelid = $1::oid and k.contype = 'f' and k.confdeltype in ('c', 'n', 'd')
    union
    select k.conrelid, k.confdeltype = 'c' from f join pg_catalog.pg_constraint k on k.confrelid = f.id
     where f.deletes and k.contype = 'f' and k.confdeltype in ('c', 'n', 'd'))
  select n.nspname as schema, c.relname as table,
         case when bool_or(f.deletes) then 'deleted' else 'changed' end as become
    from f join pg_catalog.pg_class c on c.oid = f.id join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   where f.id <> $1::oid group by 1, 2 order by 1, 2`;

type ColumnRow = {
  name: string;
  database_type: string;
  type_oid: number;
  type_modifier: number;
  is_nullable: boolean;
  has_default: boolean;
  is_generated: boolean;
};

/** Distinguishes generated columns from defaults: since version 12, by a column that older catalogues do not have. */
const columnStatement = `
  select a.attname as name, pg_catalog.format_type(a.atttypid, a.atttypmod) as database_type,
         case when t.typtype = 'd' then t.typbasetype else t.oid end::int as type_oid,
         case when t.typtype = 'd' then t.typtypmod else a.atttypmod end as type_modifier,
         not (a.attnotnull or t.typnotnull) as is_nullable,
         a.atthasdef or a.attidentity <> '' or t.typdefault is not null as has_default,
         coalesce(pg_catalog.to_jsonb(a) ->> 'attgenerated', '') <> '' as is_generated
    from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
   where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
   order by a.attnum`;

/** Selects keys that are always enforced for every row: not partial, not on expressions, not deferred. */
const keyStatement = `
  select i.indisprimary as is_primary,
         array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality as u (number, place)
                 join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = u.number
                where u.place <= i.indnkeyatts order by u.place) as columns
    from pg_catalog.pg_index i
   where i.indrelid = $1::oid and i.indisunique and i.indisvalid and i.indimmediate
     and i.indpred is null and i.indexprs is null
   order by i.indisprimary desc, i.indexrelid`;

const columnOf = (row: ColumnRow): PostgresqlColumn => ({
  name: row.name,
  databaseType: row.database_type,
  kind: postgresqlType(row.type_oid).kind,
  isNullable: row.is_nullable,
  hasDefault: row.has_default,
  isGenerated: row.is_generated,
  typeOid: row.type_oid,
  typeModifier: row.type_modifier,
});
