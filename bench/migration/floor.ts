import { createWriteStream, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { openMariaDbSession } from '../../packages/connectors/src/testing/mariadb-session.ts';
import { runSubject } from '../run/subject-process.ts';
import { emptied, type MigrationConfig, type Place } from './destination.ts';

/** Minimal implementation: the engines' bulk formats, piped without reading the rows. */
runSubject(async (config: MigrationConfig) => {
  const { connection, mariaSocket, folder } = config;
  const source = new pg.Client(connection);
  const target = new pg.Client(connection);
  await source.connect();
  await target.connect();

  const intoPostgres = async (form: 'text' | 'binary'): Promise<void> => {
    await target.query('begin');
    await pipeline(
      source.query(copyTo(`copy orders to stdout (format ${form})`)),
      target.query(copyFrom(`copy dst.orders from stdin (format ${form})`)),
    );
    await target.query('commit');
  };

  /** MariaDB has other formats for booleans and time zones. */
  const asMaria = `copy (select order_number, customer, amount, is_paid::int, status, ordered_at at time zone 'UTC', remark
    from orders) to stdout`;
  const intoMaria = async (): Promise<void> => {
    const session = await openMariaDbSession(mariaSocket ?? '', 'dst');
    const rows = source.query(copyTo(asMaria));
    await session.query({
      sql: "load data local infile 'rows' into table orders character set utf8mb4",
      infileStreamFactory: () => rows,
    });
    await session.end();
  };

  const intoParquet = async (): Promise<void> => {
    const rows = path.join(folder, 'floor.csv');
    const file = path.join(folder, 'floor.parquet');
    await pipeline(source.query(copyTo('copy orders to stdout (format csv)')), createWriteStream(rows));
    const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '512MB' });
    const duckdb = await instance.connect();
    await duckdb.run(`copy (select * from read_csv('${rows}', header = false, auto_detect = false, columns = {
      'order_number': 'bigint', 'customer': 'varchar', 'amount': 'decimal(18, 2)', 'is_paid': 'boolean', 'status': 'varchar',
      'ordered_at': 'timestamptz', 'remark': 'varchar'})) to '${file}' (format parquet)`);
    duckdb.closeSync();
    instance.closeSync();
    for (const made of [rows, file]) rmSync(made);
  };

  const work = {
    Equal: () => intoPostgres('binary'),
    Wider: () => intoPostgres('text'),
    Read: () => intoPostgres('text'),
    MariaDB: intoMaria,
    Parquet: intoParquet,
  };
  return {
    ready: {},
    act: async ({ place }: { readonly place: Place }) => {
      await emptied(config, place);
      const startedAt = performance.now();
      await work[place]();
      return { seconds: (performance.now() - startedAt) / 1_000 };
    },
    stop: async () => {
      await source.end();
      await target.end();
    },
  };
});
