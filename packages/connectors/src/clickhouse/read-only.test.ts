import { existsSync, readdirSync } from 'node:fs';
import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { clickhouseDialect } from '../sql/dialects.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import { withAllGaps, withLongGaps } from '../testing/gaps.ts';
import { answeredOf, refusedOf } from '../testing/read-only-suite.ts';
import { clickhouseReads, clickhouseRefused } from '../testing/statements/clickhouse.ts';
import { createClickhouseConnector } from './index.ts';
import { clickhouseRules } from './rules.ts';
import { openSession } from './session.ts';
import type { ClickhouseConnection } from './settings.ts';

const connector = createClickhouseConnector();
let server: TestClickhouse;
let options: ExecuteOptions;

describe.skipIf(!hasClickhouse())('read-only access to ClickHouse', () => {
  beforeAll(async () => {
    server = await startClickhouse();
    await server.query('create database shop');
    for (const statement of [
      'create table customer (id Int32, name String, email Nullable(String), created Date) engine = MergeTree order by id',
      'create table orders (id Int32, customer_id Int32, amount Decimal(10, 2), placed DateTime, status String) engine = ReplacingMergeTree order by id sample by id settings check_sample_column_is_correct = 0',
      "insert into customer values (1, 'Ann', 'ann@example.com', '2024-01-01'), (2, 'Bob', null, '2024-01-02')",
      "insert into orders values (1, 1, 9.50, '2024-02-01 00:00:00', 'open'), (2, 1, 3, '2024-02-02 00:00:00', 'closed')",
      'create view names as select name from customer',
    ])
      await server.query(statement, 'shop');
    options = {
      dial: server.dial,
      signal: new AbortController().signal,
      timeoutMs: 110_000,
      maxRows: 100_000,
      maxBytes: 100_000_000,
      maxCellBytes: 1_000_000,
    };
  });
  afterAll(() => server.stop());

  /** Worst case: the user has all rights. */
  const connection = (): ClickhouseConnection => ({
    host: server.host,
    port: server.port,
    database: 'shop',
    user: 'default',
    password: '',
    tlsMode: 'Disable',
  });
  const execute = (sql: string) => connector.execute(connection(), { sql }, options);

  async function stateOfServer(): Promise<string> {
    const answers = await Promise.all(
      [
        'select * from shop.customer order by id',
        'select * from shop.orders order by id',
        "select database, name, engine, create_table_query, comment from system.tables where database not in ('system') order by 1, 2",
        'select name from system.databases order by 1',
        "select name from system.functions where origin != 'System' order by 1",
        'select name from system.detached_parts order by 1',
        'select count() from system.mutations',
      ].map((sql) => server.query(sql)),
    );
    return answers.join('\n');
  }
  const filesLeft = () => [
    ...readdirSync('/tmp').filter((name) => name.startsWith('svc-refused-clickhouse')),
    ...['svc-refused-clickhouse'].filter((name) => existsSync(name)),
  ];

  it('refuses at least 150 statements that would do more than read, and the server state does not change', async () => {
    const before = await stateOfServer();
    expect(await answeredOf(clickhouseRefused, execute)).toEqual([]);
    expect(await stateOfServer()).toEqual(before);
    expect(filesLeft()).toEqual([]);
  });

  it('refuses a statement before connecting if a read-only session would allow it', () => {
    for (const sql of clickhouseRefused.filter((text) => /\b(kill|backup|outfile|file|sleep)\b/i.test(text)))
      expect(() => assertOneRead(sql, clickhouseRules), sql).toThrow();
  });

  /** Statements that the library accepts and a server refuses: the library writes files for its own caller. */
  const byTheLibrary = /outfile|select 1;|;\s*(--[^\n]*\n)?\s*\w|^kill|^\(select|^explain .*kill/i;

  it('changes nothing in a read-only session even without the check of the text', async () => {
    const before = await stateOfServer();
    const texts = clickhouseRefused.filter((text) => !byTheLibrary.test(text) && !/sleep/i.test(text));
    for (const sql of withAllGaps(texts, clickhouseDialect)) {
      const session = await openSession(connection(), options);
      await session.ask(sql).catch(() => undefined);
      await session.finish();
    }
    expect(await stateOfServer()).toEqual(before);
    expect(filesLeft()).toEqual([]);
  }, 900_000);

  it('executes at least 100 legitimate reads, also with 64 kB of blanks or comments between tokens', async () => {
    expect(await refusedOf(clickhouseReads, execute)).toEqual([]);
    expect(await refusedOf(withLongGaps(clickhouseReads, clickhouseDialect), execute)).toEqual([]);
  }, 900_000);

  const isRefused = (sql: string): boolean => {
    try {
      assertOneRead(sql, clickhouseRules);
      return false;
    } catch {
      return true;
    }
  };

  /** Table functions that only read the database, or generate rows. */
  const localTableFunctions = new Set(
    `SQLStandardValues dictionary format fuzzJSON fuzzQuery generateRandom generateSeries generate_series loop merge
     mergeTreeAnalyzeIndexes mergeTreeAnalyzeIndexesUUID mergeTreeIndex mergeTreeProjection mergeTreeTextIndex null
     numbers numbers_mt primes prometheusQuery prometheusQueryRange timeSeriesData timeSeriesMetrics timeSeriesSamples
     timeSeriesSelector timeSeriesTags values view viewExplain viewIfPermitted zeros zeros_mt`.split(/\s+/),
  );

  it('refuses each table function of the engine or lists it as local to the database', async () => {
    const names = (await server.query('select name from system.table_functions')).trim().split('\n');
    expect(names.length).toBeGreaterThan(70);
    const open = names.filter((name) => !isRefused(`select * from ${name}('x')`));
    expect(open.filter((name) => !localTableFunctions.has(name))).toEqual([]);
  });

  it('refuses each engine function that calls models, writes logs, reads files or waits', async () => {
    const names = (
      await server.query(
        "select name from system.functions where categories in ('AI') or name in ('file', 'sleep', 'sleepEachRow', 'logTrace', 'generateSerialID', 'catboostEvaluate')",
      )
    )
      .trim()
      .split('\n');
    expect(names.length).toBeGreaterThan(9);
    expect(names.filter((name) => !isRefused(`select ${name}('x')`))).toEqual([]);
  });

  it('leaves no statement running', async () => {
    const running = () =>
      server.query("select count() from system.processes where query not like '%system.processes%'");
    await expect.poll(running).toBe('0\n');
  });
});
