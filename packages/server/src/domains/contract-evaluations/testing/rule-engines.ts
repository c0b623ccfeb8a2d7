import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import type { ContractRuleInput } from '@svc/contract';
import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { expect } from 'vitest';
import { createRunSql, type DataSourceTarget } from '../../../gateways/run-sql/index.ts';
import { faultsOf, ruleOf } from '../../contract-rules/index.ts';
import { askRules } from '../asking/ask-rules.ts';
import { clickhouseSchema, rows, schemaOf } from './rule-tables.ts';

/** Engines with the tables of `rule-tables.ts`, and whether this machine has their servers. */
export const engineNames = ['PostgreSQL', 'MySQL', 'SQLite', 'ClickHouse', 'DuckDB'] as const;
export type EngineName = (typeof engineNames)[number];
export const hasEngine: Readonly<Record<EngineName, boolean>> = {
  PostgreSQL: true,
  MySQL: hasMariaDb(),
  SQLite: true,
  ClickHouse: hasClickhouse(),
  DuckDB: true,
};

export type RuleEngines = Awaited<ReturnType<typeof startRuleEngines>>;

/** Starts the servers, and creates the tables in each engine. */
export async function startRuleEngines() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-rules-test-'));
  const sqliteFile = path.join(folder, 'shop.db');
  const connectors = createConnectors({ files: { allowedFolders: [folder] } });
  const database = await createEmptyDatabase();
  await fillPostgres(database);
  const lite = new DatabaseSync(sqliteFile);
  lite.exec(schemaOf('text', "datetime('now', '-2 hours')", "datetime('now', '-10 days')"));
  lite.close();
  const files = writeFiles(folder);
  const clickhouse = hasEngine.ClickHouse ? await startFilledClickhouse() : undefined;
  const mariaDb = hasEngine.MySQL ? await startFilledMariaDb() : undefined;
  const targets = targetsOf({ database, mariaDb, clickhouse, sqliteFile, files });
  const postgresDial = databaseDial(database.connection);
  const runSql = createRunSql({
    connectors,
    dial: (to, options) =>
      ([mariaDb, clickhouse].find((server) => server?.host === to.host)?.dial ?? postgresDial)(to, options),
  });

  const evaluate = async (
    engine: EngineName,
    inputs: readonly ContractRuleInput[],
    keepsSamples = true,
    tableName = 'orders',
  ) => {
    const target = targets[engine];
    const { tables } = await runSql.readMetadata(target, { signal });
    const table = tables.find(({ name }) => name === tableName);
    if (!table)
      throw new Error(`There is no ${tableName}, only ${tables.map(({ name }) => name).join(', ')}.`);
    const rules = inputs.map((input) => ruleOf({ ...input, config: withSchema(input.config, table.schema) }));
    const find = (schema: string, name: string) =>
      tables.find((each) => each.schema === schema && each.name === name);
    expect(faultsOf(rules, { engine: target.engine, table, find })).toEqual([]);
    const { dialect } = connectors.get(target.engine);
    const deps = { runSql, masking: { isEnabled: true }, maxRows: 1_000_000 };
    const source = { target, table, dialect, signal, timeoutMs: 60_000 };
    return askRules(deps, source, rules, { keepsSamples });
  };

  const close = async (): Promise<void> => {
    await connectors.close();
    await database.drop();
    await mariaDb?.stop();
    await clickhouse?.stop();
    rmSync(folder, { recursive: true });
  };

  return { database, mariaDb, clickhouse, sqliteFile, evaluate, close };
}

const signal = new AbortController().signal;

const withSchema = (config: ContractRuleInput['config'], schema: string) =>
  config?.table === undefined ? (config ?? {}) : { ...config, schema };

async function fillPostgres({ connection }: TestDatabase): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(schemaOf('timestamptz', "now() - interval '2 hours'", "now() - interval '10 days'"));
  await client.end();
}

type Files = Readonly<Record<'orders' | 'customers' | 'visits' | 'planned', string>>;

function writeFiles(folder: string): Files {
  const files = {
    orders: path.join(folder, 'orders.csv'),
    customers: path.join(folder, 'customers.csv'),
    visits: path.join(folder, 'visits.csv'),
    planned: path.join(folder, 'planned.csv'),
  };
  const twoHoursAgo = new Date(Date.now() - 7_200_000).toISOString();
  const tenDaysAgo = new Date(Date.now() - 864_000_000).toISOString();
  const lines = rows.map((row) => [...row.map((value) => value ?? ''), twoHoursAgo].join(','));
  writeFileSync(files.orders, ['id,no,status,total,email,customer_id,placed_at', ...lines].join('\n'));
  writeFileSync(files.customers, 'id,name\n1,one\n2,two\n');
  writeFileSync(files.visits, `id,seen_at\n1,${tenDaysAgo}\n2,2099-01-01T00:00:00Z\n3,\n`);
  writeFileSync(files.planned, 'id,seen_at\n1,2099-01-01T00:00:00Z\n');
  return files;
}

async function startFilledClickhouse(): Promise<TestClickhouse> {
  const clickhouse = await startClickhouse();
  await clickhouse.query('create database shop');
  for (const statement of clickhouseSchema) await clickhouse.query(statement, 'shop');
  return clickhouse;
}

async function startFilledMariaDb(): Promise<TestMariaDb> {
  const mariaDb = await startMariaDb();
  const statements = schemaOf(
    'datetime',
    'utc_timestamp() - interval 2 hour',
    'utc_timestamp() - interval 10 day',
  );
  const input = `create database shop character set utf8mb4; use shop; ${statements};
    create user reader identified by 'secret'; grant select on shop.* to reader`;
  const asRoot = ['--no-defaults', `--socket=${mariaDb.socketPath}`, '--user=root'];
  const { status, stderr } = spawnSync('mariadb', asRoot, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return mariaDb;
}

/** Returns the data sources of the engines. */
function targetsOf({
  database,
  mariaDb,
  clickhouse,
  sqliteFile,
  files,
}: {
  readonly database: TestDatabase;
  readonly mariaDb: TestMariaDb | undefined;
  readonly clickhouse: TestClickhouse | undefined;
  readonly sqliteFile: string;
  readonly files: Files;
}): Readonly<Record<EngineName, DataSourceTarget>> {
  return {
    PostgreSQL: {
      id: 'pg',
      engine: 'PostgreSQL',
      connection: { ...database.connection, host: testHost, tlsMode: 'Disable' },
    },
    MySQL: {
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
    },
    SQLite: { id: 'lite', engine: 'SQLite', connection: { file: sqliteFile } },
    ClickHouse: {
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
    },
    DuckDB: {
      id: 'duck',
      engine: 'DuckDB',
      connection: { files: Object.entries(files).map(([name, file]) => ({ name, path: file })) },
    },
  };
}
