import type { Queryable } from './database.ts';

/** Number of future months whose partitions exist in advance, so that no row waits for its partition. */
const monthsAhead = 2;

/**
 * Creates the partitions of the current and the next months for tables that are partitioned by month. Rows that
 * were written before their partition existed move into it.
 *
 * @param tables Names within the schema `svc`.
 * @returns the number of created partitions.
 */
export async function addMonths(executor: Queryable, tables: readonly string[]): Promise<number> {
  const { rows } = await executor.query<{ made: boolean }>(
    `select svc.add_month(parent, month::date) as made
     from unnest($1::text[]) as parent,
       generate_series(date_trunc('month', now() at time zone 'UTC'),
         date_trunc('month', now() at time zone 'UTC') + $2 * interval '1 month', interval '1 month') as month`,
    [tables, monthsAhead],
  );
  return rows.filter(({ made }) => made).length;
}

/** A month as `2026-11`, in UTC. */
export type Month = string;

/** Returns the months for which a table has a partition, oldest first. */
export async function monthsOf(executor: Queryable, table: string): Promise<Month[]> {
  const { rows } = await executor.query<{ month: Month }>(
    `select replace(substring(c.relname from '_(\\d{4}_\\d{2})$'), '_', '-') as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = format('svc.%I', $1::text)::regclass and c.relname ~ '_\\d{4}_\\d{2}$' order by 1`,
    [table],
  );
  return rows.map(({ month }) => month);
}

/** Maximum wait for running statements on a table. New statements queue behind the drop during this wait. */
const dropWaitMs = 2_000;

/**
 * Drops the partitions of a month, regardless of their content. No row is read.
 *
 * @param tx A transaction. It locks the tables, so no slow work may follow.
 * @throws the driver's error 55P03 when a statement on a table lasts longer than 2 s.
 */
export async function dropMonth(tx: Queryable, tables: readonly string[], month: Month): Promise<void> {
  await tx.query(`set local lock_timeout = ${dropWaitMs}`);
  const suffix = month.replace('-', '_');
  if (!/^\d{4}_\d{2}$/.test(suffix)) throw new TypeError(`No month: ${month}`);
  await tx.query(`drop table if exists ${tables.map((table) => `svc."${table}_${suffix}"`).join(', ')}`);
}
