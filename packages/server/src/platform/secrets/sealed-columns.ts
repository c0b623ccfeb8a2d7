import type { Queryable } from '../db/index.ts';

/**
 * A column of envelopes. An envelope is bound to its location by name: table, column and the row's primary key
 * (`EnvelopeLocation`). Every such column can thus be discovered and re-encrypted without a manual list.
 */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** The primary key, and its type as PostgreSQL writes it. */
  readonly key: string;
  readonly keyType: string;
};

/** Returns the display name of a column: `recipients.destination_sealed`. */
export const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

/**
 * Returns every column of the service's schema whose name ends in `_sealed`, in the order of their names.
 *
 * @throws Error for a table without a one-column primary key (apart from its partition key): its envelopes cannot
 * be bound to a location.
 */
export async function findSealedColumns(executor: Queryable): Promise<SealedColumn[]> {
  const { rows } = await executor.query<SealedColumn & { key: string | null }>(
    `select c.relname as "table", a.attname as "column", k.attname as "key", format_type(k.atttypid, null) as "keyType"
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
     join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'svc'
     left join pg_partitioned_table p on p.partrelid = c.oid
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
       and i.indnatts = case when p.partrelid is null then 1 else 2 end
     -- The key of a partitioned table holds what it is partitioned by as well.
     left join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey::int2[])
       and k.attnum is distinct from p.partattrs[0]
     where a.attname ~ '_sealed$' and not a.attisdropped
     order by c.relname collate "C", a.attname collate "C"`,
  );
  const bad = rows.find(({ key }) => key === null);
  if (bad)
    throw new Error(
      `${nameOf(bad)} is sealed, but its table has no primary key of one column, beside what it is partitioned by.`,
    );
  return rows;
}

/** Quotes a name of the catalogue. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Counts the values of a column by key; null for values that are no envelopes. */
export async function countByKey(
  executor: Queryable,
  { table, column }: SealedColumn,
): Promise<{ keyId: string | null; count: number }[]> {
  const name = quoted(column);
  const { rows } = await executor.query<{ keyId: string | null; count: number }>(
    `select case when ${name} like 'v1.%' then split_part(${name}, '.', 2) end as "keyId", count(*) as count
     from svc.${quoted(table)} where ${name} is not null and ${name} <> '' group by 1`,
  );
  return rows;
}
