import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunSql, type RunStep } from '../index.ts';
import { rowsOf } from '../testing/results.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-star-over-cte-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const fileOf = (name: string): string => path.join(folder, name);
let database: TestDatabase;
let mariadb: TestMariaDb | undefined;
const isMariaDbThere = hasMariaDb();

/** No name of the tables or statements is personal. */
const tables = 'create table ord (id int primary key, cust_id int, amt numeric(10, 2), placed timestamp)';
const row = "insert into ord values (1, 7, 2.5, '2024-01-01 00:00:00')";
const statements = [
  'with m as (select cust_id, count(*) n, sum(amt) s from ord group by 1) select * from m',
  'with m as (select cust_id, count(*) n, sum(amt) total from ord group by 1) select * from m',
  'select * from (select count(*) n, max(id) mx from ord) x',
  'with recursive r(n) as (select 1 union all select n+1 from r where n < 3) select n from r',
  'with m as (select * from ord) select count(*) n, sum(amt) s from m',
  'select a.*, b.* from ord a join (select 1 as z) b on true',
] as const;
const lateral = 'select a.*, b.* from ord a join lateral (select 1 as z) b on true';

beforeAll(async () => {
  database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(`${tables}; ${row}; create table people (id int, iban text)`);
  await client.end();
  const sqlite = new DatabaseSync(fileOf('shop.db'));
  sqlite.exec(`${tables}; ${row}; create table people (id int, iban text)`);
  sqlite.close();
  writeFileSync(fileOf('ord.csv'), 'id,cust_id,amt,placed\n1,7,2.5,2024-01-01 00:00:00\n');
  if (!isMariaDbThere) return;
  mariadb = await startMariaDb();
  const input = `create database shop; use shop; ${tables}; ${row}; create table people (id int, iban text);
    insert into people values (1, 'DE-secret'); create view renamed as select id, iban as account from people;
    create user reader identified by 'secret'; grant select on shop.* to reader`;
  const asRoot = ['--no-defaults', `--socket=${mariadb.socketPath}`, '--user=root'];
  const { status, stderr } = spawnSync('mariadb', asRoot, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}, 600_000);

afterAll(async () => {
  await connectors.close();
  await mariadb?.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

type Source = RunStep['dataSource'];

const postgresql = (): Source => ({
  id: 'pg',
  engine: 'PostgreSQL',
  connection: { ...database.connection, host: testHost, tlsMode: 'Disable' },
});
const sqlite = (): Source => ({ id: 'file', engine: 'SQLite', connection: { file: fileOf('shop.db') } });
const duckdb = (): Source => ({
  id: 'files',
  engine: 'DuckDB',
  connection: { files: [{ name: 'ord', path: fileOf('ord.csv') }] },
});

const mysql = (): Source => ({
  id: 'my',
  engine: 'MySQL',
  connection: {
    host: mariadb?.host ?? '',
    port: 3306,
    database: 'shop',
    tlsMode: 'Disable',
    user: 'reader',
    password: 'secret',
  },
});

async function maskedIn(dataSource: Source, sql: string): Promise<readonly string[]> {
  const dial = dataSource.engine === 'MySQL' && mariadb ? mariadb.dial : databaseDial(database.connection);
  const result = await createRunSql({ connectors, dial }).run({
    steps: [{ order: 1, sql, dataSource }],
    signal: new AbortController().signal,
    masking: { isEnabled: true },
  });
  await rowsOf(result);
  return (await result.finished).maskedColumns.map((name) => `${name}: ${sql}`);
}

describe('a statement without a personal column name', () => {
  it.each([
    ['PostgreSQL', postgresql, [...statements, lateral]],
    ['SQLite', sqlite, statements],
    ['DuckDB', duckdb, [...statements, lateral]],
  ] as const)(
    'is not masked on %s',
    async (_engine, source, texts) => {
      for (const sql of texts) expect(await maskedIn(source(), sql)).toEqual([]);
    },
    600_000,
  );

  it.skipIf(!isMariaDbThere)(
    'is not masked on MariaDB, and views and other tables with personal data still are',
    async () => {
      for (const sql of statements) expect(await maskedIn(mysql(), sql)).toEqual([]);
      const personal = [
        'with m as (select id, iban as x from people) select * from m',
        'select * from (select upper(iban) as x from people) m',
        'with m as (select * from people) select m.* from m',
        'with m as (select id, upper(account) as x from renamed) select m.* from m',
      ];
      for (const sql of personal) expect(await maskedIn(mysql(), sql), sql).not.toEqual([]);
    },
    600_000,
  );
});
