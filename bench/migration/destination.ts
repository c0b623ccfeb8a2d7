import pg from 'pg';
import { openMariaDbSession } from '../../packages/connectors/src/testing/mariadb-session.ts';

/** Configuration of both contenders. */
export type MigrationConfig = {
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** Undefined where MariaDB is not installed. */
  readonly mariaSocket: string | undefined;
  readonly folder: string;
};

/**
 * Destinations: PostgreSQL with the types of the source (`Equal`), with wider types (`Wider`), and with a check of each
 * row (`Read`); a MariaDB; a file.
 */
export const places = ['Equal', 'Wider', 'Read', 'MariaDB', 'Parquet'] as const;
export type Place = (typeof places)[number];

/** Number of copied rows: enough for a comparison, without a long run. */
export const copiedRows = 500_000;

/** Columns of `orders` at each destination. */
const columns = {
  Equal: 'like orders',
  PostgreSQL: `order_number bigint, customer text, amount numeric, is_paid boolean, status text, ordered_at timestamptz,
    remark text`,
  MariaDB: `order_number int, customer text, amount decimal(20, 10), is_paid tinyint(1), status text,
    ordered_at datetime(6), remark text`,
};

/** Empties the destination, outside the measured time. */
export async function emptied({ connection, mariaSocket }: MigrationConfig, place: Place): Promise<void> {
  if (place === 'Equal' || place === 'Wider' || place === 'Read') {
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(`create schema if not exists dst; drop table if exists dst.orders;
      create table dst.orders (${place === 'Equal' ? columns.Equal : columns.PostgreSQL})`);
    await client.end();
  }
  if (place === 'MariaDB' && mariaSocket !== undefined) {
    const session = await openMariaDbSession(mariaSocket);
    await session.query(`create database if not exists dst character set utf8mb4; drop table if exists dst.orders;
      create table dst.orders (${columns.MariaDB})`);
    await session.end();
  }
}
