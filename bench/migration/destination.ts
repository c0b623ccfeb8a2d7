import pg from 'pg';
import { openMariaDbSession } from '../../packages/connectors/src/testing/mariadb-session.ts';

/** What both contenders are given. */
export type MigrationConfig = {
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** Undefined where MariaDB is not installed. */
  readonly mariaSocket: string | undefined;
  readonly folder: string;
};

/**
 * Where rows go to: PostgreSQL with the types of the source (`Equal`), with wider ones (`Wider`), and where each row is
 * looked at (`Read`); a MariaDB; a file.
 */
export const places = ['Equal', 'Wider', 'Read', 'MariaDB', 'Parquet'] as const;
export type Place = (typeof places)[number];

/** Copies of so many rows last long enough to be compared, and no longer. */
export const copiedRows = 500_000;

/** The rows of `orders`, as each destination has them. */
const columns = {
  Equal: 'like orders',
  PostgreSQL: `order_number bigint, customer text, amount numeric, is_paid boolean, status text, ordered_at timestamptz,
    remark text`,
  MariaDB: `order_number int, customer text, amount decimal(20, 10), is_paid tinyint(1), status text,
    ordered_at datetime(6), remark text`,
};

/** Makes the destination empty, outside of what is measured. */
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
