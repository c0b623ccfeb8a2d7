import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import { startSqlserver, type TestSqlserver } from '@svc/testkit/database/sqlserver.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunSql, type DataSourceTarget } from './index.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-plans-test-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const maria = hasMariaDb();
let database: TestDatabase;
let mariaDb: TestMariaDb | undefined;
const hasEngine: Readonly<Record<string, boolean>> = { MySQL: maria, ClickHouse: hasClickhouse() };
let clickhouse: TestClickhouse | undefined;
let sqlserver: TestSqlserver;

const schema = `create table customers (id int primary key, name varchar(20));
  create table orders (id int primary key, customer_id int, note varchar(40));
  insert into customers values (1, 'one'), (2, 'two');
  insert into orders values (1, 1, 'a'), (2, 2, 'b'), (3, 2, 'c')`;
const files = {
  lite: path.join(folder, 'shop.db'),
  orders: path.join(folder, 'orders.csv'),
  customers: path.join(folder, 'customers.csv'),
};

const engines: Readonly<Record<string, () => DataSourceTarget>> = {
  PostgreSQL: () => ({
    id: 'pg',
    engine: 'PostgreSQL',
    connection: { ...database.connection, host: testHost, tlsMode: 'Disable' },
  }),
  MySQL: () => ({
    id: 'my',
    engine: 'MySQL',
    connection: {
      host: mariaDb?.host ?? '',
      port: 3306,
      database: 'shop',
      tlsMode: 'Disable',
      user: 'reader',
      password: 'secret',
    },
  }),
  SQLite: () => ({ id: 'lite', engine: 'SQLite', connection: { file: files.lite } }),
  ClickHouse: () => ({
    id: 'click',
    engine: 'ClickHouse',
    connection: {
      host: clickhouse?.host ?? '',
      port: clickhouse?.port,
      database: 'shop',
      tlsMode: 'Disable',
      user: 'default',
      password: '',
    },
  }),
  SqlServer: () => ({
    id: 'mssql',
    engine: 'SqlServer',
    connection: {
      host: sqlserver.host,
      port: sqlserver.port,
      database: 'shop',
      tlsMode: 'Disable',
      user: 'reader',
      password: 's3cret-Passw0rd',
    },
  }),
  DuckDB: () => ({
    id: 'duck',
    engine: 'DuckDB',
    connection: {
      files: [
        { name: 'orders', path: files.orders },
        { name: 'customers', path: files.customers },
      ],
    },
  }),
};

beforeAll(async () => {
  sqlserver = await startSqlserver();
  database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(schema);
  await client.end();
  const lite = new DatabaseSync(files.lite);
  lite.exec(schema);
  lite.close();
  writeFileSync(files.orders, 'id,customer_id,note\n1,1,a\n2,2,b\n3,2,c\n');
  writeFileSync(files.customers, 'id,name\n1,one\n2,two\n');
  if (hasEngine['ClickHouse']) {
    clickhouse = await startClickhouse();
    await clickhouse.query('create database shop');
    for (const statement of schema.split(';'))
      await clickhouse.query(statement.replace(/^\s*create .*/, '$& engine = MergeTree order by id'), 'shop');
  }
  if (!maria) return;
  mariaDb = await startMariaDb();
  const input = `create database shop character set utf8mb4; use shop; ${schema};
    create user reader identified by 'secret'; grant select on shop.* to reader`;
  const asRoot = ['--no-defaults', `--socket=${mariaDb.socketPath}`, '--user=root'];
  const { status, stderr } = spawnSync('mariadb', asRoot, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
});

afterAll(async () => {
  await connectors.close();
  await database.drop();
  await mariaDb?.stop();
  await clickhouse?.stop();
  await sqlserver.stop();
  rmSync(folder, { recursive: true });
});

const sql = `select o.id, c.name from orders o join customers c on c.id = o.customer_id
  where o.note <> 'a secret of the statement' order by o.id`;

/** Returns the engine's plan of a statement, read through the gateway. */
async function planOf(name: string, statement: string) {
  const target = engines[name];
  if (!target) throw new Error(`${name} is not tested.`);
  const postgresDial = databaseDial(database.connection);
  const gateway = createRunSql({
    connectors,
    dial: (to, options) =>
      ([mariaDb, clickhouse, sqlserver].find((server) => server?.host === to.host)?.dial ?? postgresDial)(
        to,
        options,
      ),
  });
  const { engine } = await gateway.dryRun({
    dataSource: target(),
    sql: statement,
    masking: { isEnabled: true },
    signal: new AbortController().signal,
  });
  if (typeof engine === 'string' || engine instanceof Error) throw new Error(String(engine));
  return engine;
}

describe.each(Object.keys(engines))('the plan of %s', (name) => {
  it.skipIf(hasEngine[name] === false)(
    'is a tree that names the tables it reads, and repeats no value',
    async () => {
      const { nodes, steps } = await planOf(name, sql);
      const labels = nodes.map(({ label }) => label).join('\n');
      expect(labels.toLowerCase(), labels).toMatch(/\b(orders|o)\b|read csv/);
      expect(nodes[0]?.depth).toBe(0);
      expect(nodes.length).toBeGreaterThan(1);
      for (const [at, node] of nodes.entries())
        expect(node.depth).toBeLessThanOrEqual((nodes[at - 1]?.depth ?? -1) + 1);
      expect(JSON.stringify([nodes, steps])).not.toContain('a secret');
    },
  );
});

it.each([
  ['PostgreSQL', '/* a /* nested */ comment */ -- and one more\n(select id from orders)', true],
  ['MySQL', '# a note\nselect id from orders', true],
  ['MySQL', '/* select */ show tables', false],
  ['SQLite', '-- select\nexplain query plan select id from orders', false],
] as const)('%s has a plan for %j: %s', async (name, statement, hasPlan) => {
  if (hasEngine[name] === false) return;
  const plan = planOf(name, statement);
  if (hasPlan) expect((await plan).nodes.length).toBeGreaterThan(0);
  else await expect(plan).rejects.toThrow('NotOffered');
});

const numbers = {
  PostgreSQL: ['rows', 'cost'],
  MySQL: ['rows'],
  DuckDB: ['rows'],
  SQLite: [],
  ClickHouse: [],
  SqlServer: ['rows', 'cost'],
} as const;

it.each(Object.entries(numbers))('the plan of %s contains these estimates: %j', async (name, estimates) => {
  if (hasEngine[name] === false) return;
  const { nodes } = await planOf(name, sql);
  const has = (of: 'estimatedRows' | 'estimatedCost') => nodes.some((node) => node[of] !== null);
  expect(has('estimatedRows')).toBe(estimates.some((what) => what === 'rows'));
  if (estimates.some((what) => what === 'cost')) expect(has('estimatedCost')).toBe(true);
});
