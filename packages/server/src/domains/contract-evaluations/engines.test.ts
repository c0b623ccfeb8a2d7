import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { type ContractRuleInput, ruleTypes } from '@svc/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ruleCases } from './testing/rule-cases.ts';
import { engineNames, hasEngine, type RuleEngines, startRuleEngines } from './testing/rule-engines.ts';

let engines: RuleEngines;

beforeAll(async () => {
  engines = await startRuleEngines();
});

afterAll(() => engines.close());

test('the test cases contain a failing case for each rule type', () => {
  const failing = ruleCases.filter(({ outcome }) => outcome === 'Failed').map(({ rule }) => rule.type);
  expect(new Set(failing)).toEqual(new Set(ruleTypes));
});

describe.each(engineNames)('contract rules on %s', (engine) => {
  const isHere = hasEngine[engine];
  const possible = ruleCases.filter(({ rule }) => engine !== 'SQLite' || rule.type !== 'Pattern');

  it.skipIf(!isHere).each(possible)(
    'a rule of type $rule.type finds $failing failing rows: $outcome',
    async (one) => {
      const [result] = await engines.evaluate(engine, [one.rule]);
      expect(result).toMatchObject({ failing: one.failing, outcome: one.outcome });
      const { columns = [], rows: sampleRows } = result?.sample ?? {};
      const place = Math.max(columns.indexOf('id'), 0);
      const first = sampleRows?.map((row) => row[place]).sort((a, b) => Number(a) - Number(b)) ?? null;
      // Integers of SQLite and of CSV files are text: their columns have up to 64 bits.
      expect(first?.map(String) ?? null).toEqual(one.sample?.map(String) ?? null);
      const hasReason = one.outcome === 'Failed' && one.sample === null;
      expect(typeof result?.sampleReason).toBe(hasReason ? 'string' : 'object');
      // A stored row is masked like a result.
      if (columns.includes('email')) expect(JSON.stringify(sampleRows)).not.toContain('@example.com');
    },
  );

  it.skipIf(!isHere)(
    'an evaluation of all rules together has the expected result for each rule',
    async () => {
      const results = await engines.evaluate(
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
      const results = await engines.evaluate(engine, [
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

describe.each(engineNames)('a time in the future on %s', (engine) => {
  const isHere = hasEngine[engine];

  it.skipIf(!isHere)('does not make a stale table fresh, and the result counts it', async () => {
    const [result] = await engines.evaluate(engine, [seen({})], true, 'visits');
    expect(result).toMatchObject({ outcome: 'Failed', score: 0, total: 3 });
    expect(result?.message).toMatch(
      /^The newest row is 14,4\d\d minutes old\. 1 row has a time that cannot be judged/,
    );
    const id = result?.sample?.columns.indexOf('id') ?? -1;
    expect(result?.sample?.rows.map((row) => Number(row[id]))).toEqual([1, 2]);
  });

  it.skipIf(!isHere)('fails the rule if no other time exists, even if an empty table passes', async () => {
    const [result] = await engines.evaluate(engine, [seen({ emptyPasses: true })], false, 'planned');
    expect(result).toMatchObject({ outcome: 'Failed', message: expect.stringContaining('1 row has a time') });
  });

  it.skipIf(!isHere)('counts as the present within the tolerance of the rule', async () => {
    const tolerant = seen({ futureToleranceMinutes: hundredYears });
    const [result] = await engines.evaluate(engine, [tolerant], false, 'planned');
    expect(result).toMatchObject({
      outcome: 'Passed',
      message: expect.stringMatching(/^The newest row is \d+ minutes? old\.$/),
    });
  });
});

it('an infinite time of PostgreSQL counts as a time that cannot be evaluated', async () => {
  const client = new pg.Client(engines.database.connection);
  await client.connect();
  await client.query(`create table sentinels (id int primary key, at timestamptz, day date, local timestamp);
    insert into sentinels values (1, 'infinity', 'infinity', 'infinity'), (2, '-infinity', '-infinity', '-infinity'),
      (3, now() - interval '2 hours', now() - interval '3 days', now() at time zone 'UTC' - interval '2 hours')`);
  await client.end();
  const rules = ['at', 'day', 'local'].map((column) => ({ ...seen({}), columns: [column] }));
  const results = await engines.evaluate('PostgreSQL', rules, true, 'sentinels');
  for (const result of results) {
    expect(result).toMatchObject({
      outcome: 'Failed',
      message: expect.stringContaining('2 rows have a time'),
    });
    expect(result.sample?.rows.map(([id]) => id).slice(0, 1)).toEqual([3]);
  }
});

it.skipIf(!hasEngine.MySQL)('a zero date of MariaDB counts as a time that cannot be evaluated', async () => {
  const input = `set sql_mode = ''; create table shop.zeros (id int primary key, day date, at datetime, stamp timestamp null);
    insert into shop.zeros values (1, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00'),
      (2, '2024-00-15', '2024-00-15 00:00:00', null)`;
  const asRoot = ['--no-defaults', `--socket=${engines.mariaDb?.socketPath}`, '--user=root'];
  expect(spawnSync('mariadb', asRoot, { input, encoding: 'utf8' }).stderr).toBe('');
  const rules = ['day', 'at', 'stamp'].map((column) => ({ ...seen({}), columns: [column] }));
  const results = await engines.evaluate('MySQL', rules, false, 'zeros');
  expect(results.map(({ outcome, message }) => [outcome, message?.match(/\d row.* a time/)?.[0]])).toEqual([
    ['Failed', '2 rows have a time'],
    ['Failed', '2 rows have a time'],
    ['Failed', '1 row has a time'],
  ]);
});

it('a text of SQLite that is no time cannot be evaluated, and the text “now” does not count as the present', async () => {
  const lite = new DatabaseSync(engines.sqliteFile);
  lite.exec(`create table words (id int primary key, seen_at);
    insert into words values (1, 'now'), (2, 'n/a'), (3, 9e999), (4, x'00'), (5, datetime('now', '-1 day'))`);
  lite.close();
  const [result] = await engines.evaluate('SQLite', [seen({})], false, 'words');
  expect(result?.message).toMatch(/^The newest row is 1,44\d minutes old\. 4 rows have a time/);
});

describe('a Range rule with one bound', () => {
  const ends = [{ min: 0 }, { max: 1000 }];
  const ranges = (column: string): ContractRuleInput[] =>
    ends.map((config) => ({ name: 'r', type: 'Range', columns: [column], config }));

  it('fails NaN and both infinities of PostgreSQL', async () => {
    const client = new pg.Client(engines.database.connection);
    await client.connect();
    await client.query(`create table ratios (id int primary key, f float8, r real, n numeric);
      insert into ratios values (1, 'NaN', 'NaN', 'NaN'), (2, 'Infinity', 'Infinity', 'Infinity'),
        (3, '-Infinity', '-Infinity', '-Infinity'), (4, 5, 5, 5), (5, null, null, null)`);
    await client.end();
    const results = await engines.evaluate('PostgreSQL', ['f', 'r', 'n'].flatMap(ranges), false, 'ratios');
    expect(results.map(({ failing }) => failing)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it('fails both infinities of SQLite', async () => {
    const lite = new DatabaseSync(engines.sqliteFile);
    lite.exec(
      'create table ratios (id int primary key, f real); insert into ratios values (1, 9e999), (2, -9e999), (3, 5)',
    );
    lite.close();
    const results = await engines.evaluate('SQLite', ranges('f'), false, 'ratios');
    expect(results.map(({ failing }) => failing)).toEqual([2, 2]);
  });

  it.skipIf(!hasEngine.ClickHouse)('fails NaN and both infinities of ClickHouse', async () => {
    await engines.clickhouse?.query(
      'create table ratios (id Int32, f Nullable(Float32)) engine = MergeTree order by id',
      'shop',
    );
    await engines.clickhouse?.query(
      'insert into ratios values (1, nan), (2, inf), (3, -inf), (4, 5), (5, null)',
      'shop',
    );
    const results = await engines.evaluate('ClickHouse', ranges('f'), false, 'ratios');
    expect(results.map(({ failing }) => failing)).toEqual([3, 3]);
  });
});

it('an error in a custom statement names its line and column', async () => {
  const results = await engines.evaluate('PostgreSQL', [
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
  const results = await engines.evaluate('PostgreSQL', [
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
  const client = new pg.Client(engines.database.connection);
  await client.connect();
  await client.query(`alter table orders add column "o'dd ""name""" text default 'it''s'`);
  await client.end();
  const columns = [`o'dd "name"`];
  const results = await engines.evaluate('PostgreSQL', [
    { name: 'x', type: 'AcceptedValues', columns, config: { values: ["it's"] } },
    { name: 'y', type: 'NullRate', columns, config: { missingValues: ["') or true --"] } },
  ]);
  expect(results).toMatchObject([{ outcome: 'Passed' }, { outcome: 'Passed' }]);
});
