import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import { type ContractRuleInput, ruleTypes } from '@svc/contract';
import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createRunSql, type DataSourceTarget } from '../../gateways/run-sql/index.ts';
import { faultsOf, ruleOf } from '../contract-rules/index.ts';
import { askRules } from './asking/ask-rules.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-rules-test-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const maria = hasMariaDb();
let database: TestDatabase;
let mariaDb: TestMariaDb | undefined;
const hasEngine: Readonly<Record<string, boolean>> = { MySQL: maria, ClickHouse: hasClickhouse() };
let clickhouse: TestClickhouse | undefined;

/** Ten orders: one without status, one with an unknown status, two with one number, one with a too high total, one orphan. */
const rows = [
  [1, 'A-1', 'open', 10, 'ann@example.com', 1],
  [2, 'A-2', 'paid', 20, 'bob@example.com', 1],
  [3, 'A-2', 'paid', 30, 'cid@example.com', 2],
  [4, 'A-4', null, 40, 'dan@example.com', 2],
  [5, 'A-5', 'Open', 50, 'eve@example.com', 2],
  [6, 'a-6', 'paid', 60, 'fay@example.com', 1],
  [7, 'A-7', 'paid', 70, 'gus@example.com', 1],
  [8, 'A-8', 'paid', 80, 'hal@example.com', 1],
  [9, 'A-9', 'paid', 90, 'ida@example.com', 9],
  [10, 'A-10', 'n/a', 5000, 'jan@example.com', null],
] as const;
const literal = (value: string | number | null): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;
const schemaOf = (time: string, ago: string, old: string, future = "'2099-01-01 00:00:00'") => `
  create table customers (id int primary key, name varchar(20));
  create table orders (id int primary key, no varchar(20) not null, status varchar(20), total decimal(10,2), email varchar(50),
    customer_id int, placed_at ${time});
  create table visits (id int primary key, seen_at ${time});
  insert into visits values (1, ${old}), (2, ${future}), (3, null);
  create table planned (id int primary key, seen_at ${time});
  insert into planned values (1, ${future});
  insert into customers values (1, 'one'), (2, 'two');
  insert into orders values ${rows.map((row) => `(${row.map(literal).join(', ')}, ${ago})`).join(', ')}`;

/** The same tables in types of ClickHouse, whose columns are not nullable by default. */
const clickhouseSchema = [
  'create table customers (id Int32, name String) engine = MergeTree order by id',
  `create table orders (id Int32, no LowCardinality(String), status LowCardinality(Nullable(String)), total Decimal(10, 2),
     email Nullable(String), customer_id Nullable(Int32), placed_at DateTime64(3)) engine = MergeTree order by id`,
  "insert into customers values (1, 'one'), (2, 'two')",
  `insert into orders values ${rows.map((row) => `(${row.map(literal).join(', ')}, now64() - interval 2 hour)`).join(', ')}`,
  'create table visits (id Int32, seen_at Nullable(DateTime64(3))) engine = MergeTree order by id',
  "insert into visits values (1, now64() - interval 10 day), (2, '2099-01-01 00:00:00'), (3, null)",
  'create table planned (id Int32, seen_at Nullable(DateTime64(3))) engine = MergeTree order by id',
  "insert into planned values (1, '2099-01-01 00:00:00')",
];

const files = {
  sqlite: path.join(folder, 'shop.db'),
  orders: path.join(folder, 'orders.csv'),
  customers: path.join(folder, 'customers.csv'),
  visits: path.join(folder, 'visits.csv'),
  planned: path.join(folder, 'planned.csv'),
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
  SQLite: () => ({ id: 'lite', engine: 'SQLite', connection: { file: files.sqlite } }),
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
  DuckDB: () => ({
    id: 'duck',
    engine: 'DuckDB',
    connection: {
      files: [
        { name: 'orders', path: files.orders },
        { name: 'customers', path: files.customers },
        { name: 'visits', path: files.visits },
        { name: 'planned', path: files.planned },
      ],
    },
  }),
};

beforeAll(async () => {
  database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(schemaOf('timestamptz', "now() - interval '2 hours'", "now() - interval '10 days'"));
  await client.end();
  const lite = new DatabaseSync(files.sqlite);
  lite.exec(schemaOf('text', "datetime('now', '-2 hours')", "datetime('now', '-10 days')"));
  lite.close();
  const at = new Date(Date.now() - 7_200_000).toISOString();
  const lines = rows.map((row) => [...row.map((value) => value ?? ''), at].join(','));
  writeFileSync(files.orders, ['id,no,status,total,email,customer_id,placed_at', ...lines].join('\n'));
  writeFileSync(files.customers, 'id,name\n1,one\n2,two\n');
  const old = new Date(Date.now() - 864_000_000).toISOString();
  writeFileSync(files.visits, `id,seen_at\n1,${old}\n2,2099-01-01T00:00:00Z\n3,\n`);
  writeFileSync(files.planned, 'id,seen_at\n1,2099-01-01T00:00:00Z\n');
  if (hasEngine['ClickHouse']) {
    clickhouse = await startClickhouse();
    await clickhouse.query('create database shop');
    for (const statement of clickhouseSchema) await clickhouse.query(statement, 'shop');
  }
  if (!maria) return;
  mariaDb = await startMariaDb();
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
});

afterAll(async () => {
  await connectors.close();
  await database.drop();
  await mariaDb?.stop();
  await clickhouse?.stop();
  rmSync(folder, { recursive: true });
});

const signal = new AbortController().signal;

async function evaluate(
  engineName: string,
  inputs: readonly ContractRuleInput[],
  keepsSamples = true,
  tableName = 'orders',
) {
  const engine = engines[engineName];
  if (!engine) throw new Error(`${engineName} is not tested.`);
  const target = engine();
  const postgresDial = databaseDial(database.connection);
  const runSql = createRunSql({
    connectors,
    dial: (to, options) =>
      ([mariaDb, clickhouse].find((server) => server?.host === to.host)?.dial ?? postgresDial)(to, options),
  });
  const { tables } = await runSql.readMetadata(target, { signal });
  const table = tables.find(({ name }) => name === tableName);
  if (!table) throw new Error(`There is no ${tableName}, only ${tables.map(({ name }) => name).join(', ')}.`);
  const rules = inputs.map((input) => ruleOf({ ...input, config: referring(input.config, table.schema) }));
  const find = (schema: string, name: string) =>
    tables.find((each) => each.schema === schema && each.name === name);
  expect(faultsOf(rules, { engine: target.engine, table, find })).toEqual([]);
  const { dialect } = connectors.get(target.engine);
  const deps = { runSql, masking: { isEnabled: true }, maxRows: 1_000_000 };
  const source = { target, table, dialect, signal, timeoutMs: 60_000 };
  return askRules(deps, source, rules, { keepsSamples });
}

const referring = (config: ContractRuleInput['config'], schema: string) =>
  config?.table === undefined ? (config ?? {}) : { ...config, schema };

type Case = {
  readonly rule: ContractRuleInput;
  readonly failing: number | null;
  readonly outcome: string;
  /** Ids of failing rows, or keys; null: no sample. */
  readonly sample: readonly unknown[] | null;
};
const cases: readonly Case[] = [
  {
    rule: { name: 'a', type: 'NullRate', columns: ['status'], config: { missingValues: ['n/a'] } },
    failing: 2,
    outcome: 'Failed',
    sample: [4, 10],
  },
  {
    rule: { name: 'b', type: 'Range', columns: ['total'], config: { min: 20, max: 1000 } },
    failing: 2,
    outcome: 'Failed',
    sample: [1, 10],
  },
  {
    rule: {
      name: 'c',
      type: 'AcceptedValues',
      columns: ['status'],
      config: { values: ['open', 'paid', 'n/a'] },
    },
    failing: 1,
    outcome: 'Failed',
    sample: [5],
  },
  {
    rule: { name: 'd', type: 'AcceptedValues', columns: ['customer_id'], config: { values: [1, '2'] } },
    failing: 1,
    outcome: 'Failed',
    sample: [9],
  },
  {
    rule: { name: 'e', type: 'Uniqueness', columns: ['no'] },
    failing: 2,
    outcome: 'Failed',
    sample: ['A-2'],
  },
  {
    rule: { name: 'e2', type: 'Uniqueness', columns: ['email'] },
    failing: 0,
    outcome: 'Passed',
    sample: null,
  },
  {
    rule: {
      name: 'f',
      type: 'Referential',
      columns: ['customer_id'],
      config: { table: 'customers', columns: ['id'] },
    },
    failing: 1,
    outcome: 'Failed',
    sample: [9],
  },
  {
    rule: { name: 'g', type: 'Volume', config: { minRows: 11 } },
    failing: null,
    outcome: 'Failed',
    sample: null,
  },
  {
    rule: { name: 'h', type: 'Volume', config: { minRows: 10, maxRows: 10 } },
    failing: null,
    outcome: 'Passed',
    sample: null,
  },
  {
    rule: { name: 'i', type: 'Freshness', columns: ['placed_at'], config: { maxAgeMinutes: 90 } },
    failing: null,
    outcome: 'Failed',
    sample: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  },
  {
    rule: { name: 'j', type: 'Freshness', columns: ['placed_at'], config: { maxAgeMinutes: 150 } },
    failing: null,
    outcome: 'Passed',
    sample: null,
  },
  {
    rule: { name: 'k', type: 'Schema', config: { expected: [{ name: 'id' }, { name: 'weight' }] } },
    failing: 1,
    outcome: 'Failed',
    sample: ['The column weight is missing.'],
  },
  {
    rule: {
      name: 'l',
      type: 'CustomSql',
      config: { kind: 'FailingRows', sql: 'select id, email from orders where total > 1000' },
    },
    failing: 1,
    outcome: 'Failed',
    sample: [10],
  },
  {
    rule: {
      name: 'm',
      type: 'CustomSql',
      config: {
        kind: 'Verdict',
        sql: "select 0 as passed, 3 as failing, count(*) as total, 'too many' as message from orders",
      },
    },
    failing: 3,
    outcome: 'Failed',
    sample: null,
  },
  {
    rule: { name: 'n', type: 'Pattern', columns: ['no'], config: { pattern: '^A-[0-9]+$' } },
    failing: 1,
    outcome: 'Failed',
    sample: [6],
  },
];

test('the test cases contain a failing case for each rule type', () => {
  const failing = cases.filter(({ outcome }) => outcome === 'Failed').map(({ rule }) => rule.type);
  expect(new Set(failing)).toEqual(new Set(ruleTypes));
});

describe.each(Object.keys(engines))('contract rules on %s', (engine) => {
  const isHere = hasEngine[engine] ?? true;
  const possible = cases.filter(({ rule }) => engine !== 'SQLite' || rule.type !== 'Pattern');

  it.skipIf(!isHere).each(possible)(
    'a rule of type $rule.type finds $failing failing rows: $outcome',
    async (one) => {
      const [result] = await evaluate(engine, [one.rule]);
      expect(result).toMatchObject({ failing: one.failing, outcome: one.outcome });
      const { columns = [], rows: kept } = result?.sample ?? {};
      const place = Math.max(columns.indexOf('id'), 0);
      const first = kept?.map((row) => row[place]).sort((a, b) => Number(a) - Number(b)) ?? null;
      // Integers of SQLite and of CSV files are text: their columns have up to 64 bits.
      expect(first?.map(String) ?? null).toEqual(one.sample?.map(String) ?? null);
      const hasReason = one.outcome === 'Failed' && one.sample === null;
      expect(typeof result?.sampleReason).toBe(hasReason ? 'string' : 'object');
      // A stored row is masked like a result.
      if (columns.includes('email')) expect(JSON.stringify(kept)).not.toContain('@example.com');
    },
  );

  it.skipIf(!isHere)(
    'an evaluation of all rules together has the expected result for each rule',
    async () => {
      const results = await evaluate(
        engine,
        possible.map(({ rule }) => rule),
        false,
      );
      expect(results.map(({ failing, outcome }) => ({ failing, outcome }))).toEqual(
        possible.map(({ failing, outcome }) => ({ failing, outcome })),
      );
      expect(results.every(({ sample }) => sample === null)).toBe(true);
    },
  );

  it.skipIf(!isHere)(
    'a rule that cannot be executed is an Error, and the other rules are evaluated',
    async () => {
      const custom = { kind: 'Verdict' as const, sql: 'select nothing from nowhere' };
      const results = await evaluate(engine, [
        { name: 'broken', type: 'CustomSql', config: custom },
        { name: 'sound', type: 'NullRate', columns: ['no'] },
      ]);
      expect(results).toMatchObject([
        { outcome: 'Error', score: null, sample: null },
        { outcome: 'Passed', score: 100, total: 10 },
      ]);
    },
  );
});

const seen = (config: ContractRuleInput['config']): ContractRuleInput => ({
  name: 'seen',
  type: 'Freshness',
  columns: ['seen_at'],
  config: { maxAgeMinutes: 60, ...config },
});
const hundredYears = 52_560_000;

describe.each(Object.keys(engines))('a time in the future on %s', (engine) => {
  const isHere = hasEngine[engine] ?? true;

  it.skipIf(!isHere)('does not make a stale table fresh, and the result counts it', async () => {
    const [result] = await evaluate(engine, [seen({})], true, 'visits');
    expect(result).toMatchObject({ outcome: 'Failed', score: 0, total: 3 });
    expect(result?.message).toMatch(
      /^The newest row is 14,4\d\d minutes old\. 1 row has a time that cannot be judged/,
    );
    const id = result?.sample?.columns.indexOf('id') ?? -1;
    expect(result?.sample?.rows.map((row) => Number(row[id]))).toEqual([1, 2]);
  });

  it.skipIf(!isHere)('fails the rule if no other time exists, even if an empty table passes', async () => {
    const [result] = await evaluate(engine, [seen({ emptyPasses: true })], false, 'planned');
    expect(result).toMatchObject({ outcome: 'Failed', message: expect.stringContaining('1 row has a time') });
  });

  it.skipIf(!isHere)('counts as the present within the tolerance of the rule', async () => {
    const tolerant = seen({ futureToleranceMinutes: hundredYears });
    const [result] = await evaluate(engine, [tolerant], false, 'planned');
    expect(result).toMatchObject({
      outcome: 'Passed',
      message: expect.stringMatching(/^The newest row is \d+ minutes? old\.$/),
    });
  });
});

it('an infinite time of PostgreSQL counts as a time that cannot be evaluated', async () => {
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(`create table sentinels (id int primary key, at timestamptz, day date, local timestamp);
    insert into sentinels values (1, 'infinity', 'infinity', 'infinity'), (2, '-infinity', '-infinity', '-infinity'),
      (3, now() - interval '2 hours', now() - interval '3 days', now() at time zone 'UTC' - interval '2 hours')`);
  await client.end();
  const rules = ['at', 'day', 'local'].map((column) => ({ ...seen({}), columns: [column] }));
  const results = await evaluate('PostgreSQL', rules, true, 'sentinels');
  for (const result of results) {
    expect(result).toMatchObject({
      outcome: 'Failed',
      message: expect.stringContaining('2 rows have a time'),
    });
    expect(result.sample?.rows.map(([id]) => id).slice(0, 1)).toEqual([3]);
  }
});

it.skipIf(!maria)('a zero date of MariaDB counts as a time that cannot be evaluated', async () => {
  const input = `set sql_mode = ''; create table shop.zeros (id int primary key, day date, at datetime, stamp timestamp null);
    insert into shop.zeros values (1, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00'),
      (2, '2024-00-15', '2024-00-15 00:00:00', null)`;
  const asRoot = ['--no-defaults', `--socket=${mariaDb?.socketPath}`, '--user=root'];
  expect(spawnSync('mariadb', asRoot, { input, encoding: 'utf8' }).stderr).toBe('');
  const rules = ['day', 'at', 'stamp'].map((column) => ({ ...seen({}), columns: [column] }));
  const results = await evaluate('MySQL', rules, false, 'zeros');
  expect(results.map(({ outcome, message }) => [outcome, message?.match(/\d row.* a time/)?.[0]])).toEqual([
    ['Failed', '2 rows have a time'],
    ['Failed', '2 rows have a time'],
    ['Failed', '1 row has a time'],
  ]);
});

it('a text of SQLite that is no time cannot be evaluated, and the text “now” does not count as the present', async () => {
  const lite = new DatabaseSync(files.sqlite);
  lite.exec(`create table words (id int primary key, seen_at);
    insert into words values (1, 'now'), (2, 'n/a'), (3, 9e999), (4, x'00'), (5, datetime('now', '-1 day'))`);
  lite.close();
  const [result] = await evaluate('SQLite', [seen({})], false, 'words');
  expect(result?.message).toMatch(/^The newest row is 1,44\d minutes old\. 4 rows have a time/);
});

describe('a Range rule with one bound', () => {
  const ends = [{ min: 0 }, { max: 1000 }];
  const ranges = (column: string): ContractRuleInput[] =>
    ends.map((config) => ({ name: 'r', type: 'Range', columns: [column], config }));

  it('fails NaN and both infinities of PostgreSQL', async () => {
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query(`create table ratios (id int primary key, f float8, r real, n numeric);
      insert into ratios values (1, 'NaN', 'NaN', 'NaN'), (2, 'Infinity', 'Infinity', 'Infinity'),
        (3, '-Infinity', '-Infinity', '-Infinity'), (4, 5, 5, 5), (5, null, null, null)`);
    await client.end();
    const results = await evaluate('PostgreSQL', ['f', 'r', 'n'].flatMap(ranges), false, 'ratios');
    expect(results.map(({ failing }) => failing)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it('fails both infinities of SQLite', async () => {
    const lite = new DatabaseSync(files.sqlite);
    lite.exec(
      'create table ratios (id int primary key, f real); insert into ratios values (1, 9e999), (2, -9e999), (3, 5)',
    );
    lite.close();
    const results = await evaluate('SQLite', ranges('f'), false, 'ratios');
    expect(results.map(({ failing }) => failing)).toEqual([2, 2]);
  });

  it.skipIf(!hasEngine['ClickHouse'])('fails NaN and both infinities of ClickHouse', async () => {
    await clickhouse?.query(
      'create table ratios (id Int32, f Nullable(Float32)) engine = MergeTree order by id',
      'shop',
    );
    await clickhouse?.query(
      'insert into ratios values (1, nan), (2, inf), (3, -inf), (4, 5), (5, null)',
      'shop',
    );
    const results = await evaluate('ClickHouse', ranges('f'), false, 'ratios');
    expect(results.map(({ failing }) => failing)).toEqual([3, 3]);
  });
});

it('an error in a custom statement names its line and column', async () => {
  const results = await evaluate('PostgreSQL', [
    {
      name: 'own',
      type: 'CustomSql',
      config: { kind: 'FailingRows', sql: 'select no,\n  nothing\nfrom orders' },
    },
  ]);
  expect(results).toMatchObject([
    { outcome: 'Error', message: expect.stringMatching(/nothing.* \(line 2, column 3\)$/) },
  ]);
});

it('if one rule breaks a combined statement, the other rules are evaluated and only that rule is an Error', async () => {
  const results = await evaluate('PostgreSQL', [
    // PostgreSQL refuses a back-reference to a missing group; JavaScript does not.
    { name: 'broken', type: 'Pattern', columns: ['no'], config: { pattern: 'a\\1' } },
    { name: 'sound', type: 'Range', columns: ['total'], config: { max: 1000 } },
    { name: 'counted', type: 'Uniqueness', columns: ['no'] },
  ]);
  expect(results).toMatchObject([
    { outcome: 'Error', score: null },
    { outcome: 'Failed', failing: 1, total: 10 },
    { outcome: 'Failed', failing: 2, total: 10 },
  ]);
});

it('names and values with quotes are used as names and values', async () => {
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(`alter table orders add column "o'dd ""name""" text default 'it''s'`);
  await client.end();
  const columns = [`o'dd "name"`];
  const results = await evaluate('PostgreSQL', [
    { name: 'x', type: 'AcceptedValues', columns, config: { values: ["it's"] } },
    { name: 'y', type: 'NullRate', columns, config: { missingValues: ["') or true --"] } },
  ]);
  expect(results).toMatchObject([{ outcome: 'Passed' }, { outcome: 'Passed' }]);
});
