import type pg from 'pg';
import { knownSchemas } from '../schemas.ts';
import type { SequenceBackup, TableBackup } from './manifest.ts';

/**
 * Excluded tables. A restore records applied migrations itself. Restored sessions would sign in users who have
 * signed out since. The other tables belong to ended processes.
 */
const leftOut = new Set([
  'svc.migrations',
  'svc_jobs.migrations',
  'svc.sessions',
  'svc.events',
  'svc.recent_writes',
  'svc_jobs.server',
  'svc_jobs.worker',
]);

/** A table of the database. */
export type FoundTable = Pick<TableBackup, 'schema' | 'name' | 'columns' | 'partitions'>;

const names = (): readonly string[] => knownSchemas().map(({ name }) => name);

/** Quotes a name for SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns a quoted qualified name: `"svc"."runs"`. */
export const quoted = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${identifier(schema)}.${identifier(name)}`;

/** Returns every table in the scope of a backup, by name, with partitions and columns (without generated ones). */
export async function findTables(client: pg.ClientBase): Promise<readonly FoundTable[]> {
  const { rows } = await client.query<FoundTable>(
    `select n.nspname as schema, c.relname as name,
        (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        coalesce((select jsonb_agg(jsonb_build_object('name', p.relname,
            'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname)
          from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid), '[]') as partitions
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
      order by 1, 2`,
    [names()],
  );
  return rows.filter(({ schema, name }) => !leftOut.has(`${schema}.${name}`));
}

/** Returns the last value of every sequence that was ever used. */
export async function findSequences(client: pg.ClientBase): Promise<readonly SequenceBackup[]> {
  const { rows } = await client.query<SequenceBackup>(
    `select schemaname as schema, sequencename as name, last_value::text as "lastValue"
      from pg_sequences where schemaname = any($1) and last_value is not null order by 1, 2`,
    [names()],
  );
  return rows;
}

/** A foreign key with its definition. */
export type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string };

/** Returns every foreign key of the schemas, without the copies that partitions inherit from their table. */
export async function findForeignKeys(client: pg.ClientBase): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_namespace n on n.oid = c.connamespace
      where n.nspname = any($1) and c.contype = 'f' and c.conparentid = 0 order by 1, 2`,
    [names()],
  );
  return rows;
}

/** Counts relations of any kind in the schemas. 0 for a database without the service. */
export async function countRelations(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')`,
    [names()],
  );
  return rows[0]?.count ?? 0;
}
