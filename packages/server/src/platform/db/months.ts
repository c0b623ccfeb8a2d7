import type { Queryable } from './database.ts';

/** Months that are there before they begin, so that no row waits for its partition. */
const monthsAhead = 2;

/**
 * Gives tables that are partitioned by month the partitions of this month and the next ones. What was written before
 * its month was there moves into it.
 *
 * @param tables  names within the schema `svc`.
 * @returns how many partitions were made.
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

/** Months of which a table has a partition, oldest first. */
export async function monthsOf(executor: Queryable, table: string): Promise<Month[]> {
  const { rows } = await executor.query<{ month: Month }>(
    `select replace(substring(c.relname from '_(\\d{4}_\\d{2})$'), '_', '-') as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = format('svc.%I', $1::text)::regclass and c.relname ~ '_\\d{4}_\\d{2}$' order by 1`,
    [table],
  );
  return rows.map(({ month }) => month);
}

/** How long dropping waits for the statements on a table: those that come meanwhile wait behind it. */
const dropWaitMs = 2_000;

/**
 * Removes a month from tables that have it, as a whole: no row is read, whatever it holds.
 *
 * @param tx  a transaction; with it the tables are locked, so nothing slow may follow.
 * @throws the driver's error 55P03 when a statement on a table lasted longer than 2 s.
 */
export async function dropMonth(tx: Queryable, tables: readonly string[], month: Month): Promise<void> {
  await tx.query(`set local lock_timeout = ${dropWaitMs}`);
  const suffix = month.replace('-', '_');
  if (!/^\d{4}_\d{2}$/.test(suffix)) throw new TypeError(`No month: ${month}`);
  await tx.query(`drop table if exists ${tables.map((table) => `svc."${table}_${suffix}"`).join(', ')}`);
}
