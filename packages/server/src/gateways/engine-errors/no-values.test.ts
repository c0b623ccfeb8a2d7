import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { createConnectors, type Dial } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunSql, type RunSql, RunSqlRefusal, type RunStep } from '../run-sql/index.ts';
import { rowsOf } from '../run-sql/testing/results.ts';
import { customersTable, leaksIn, raisingStatements, textsOf } from './testing/raising.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-errors-test-'));
const sqliteFile = path.join(folder, 'people.db');
const duckdbFile = path.join(folder, 'people.parquet');
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
let database: TestDatabase;
let mariadb: TestMariaDb | undefined;
let runSql: RunSql;

const raisers = `
  create function raise_value(v text, state text default 'P0001') returns int language plpgsql as
    $$ begin raise exception 'relation "%" does not exist', v using errcode = state; end $$;
  create function raise_detail(v text) returns int language plpgsql as
    $$ begin raise notice 'seen %', v; raise exception 'no' using detail = v, hint = v, column = v, table = v; end $$`;

beforeAll(async () => {
  database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  for (const statement of [...customersTable, raisers]) await client.query(statement);
  await client.end();

  const people = new DatabaseSync(sqliteFile);
  for (const statement of customersTable) people.exec(statement);
  people.close();

  const instance = await DuckDBInstance.create(':memory:');
  const duckdb = await instance.connect();
  for (const statement of customersTable) await duckdb.run(statement);
  await duckdb.run(`copy customers to '${duckdbFile}' (format parquet)`);
  duckdb.closeSync();
  instance.closeSync();

  if (hasMariaDb()) mariadb = await startMariaDb();
  if (mariadb) fillMariaDb(mariadb);
  const ofPostgres = databaseDial(database.connection);
  const dial: Dial = (target, options) =>
    target.host === mariadb?.host ? mariadb.dial(target, options) : ofPostgres(target, options);
  runSql = createRunSql({ connectors, dial });
});

afterAll(async () => {
  await connectors.close();
  await mariadb?.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function fillMariaDb({ socketPath }: TestMariaDb): void {
  const input = `create database shop character set utf8mb4; use shop; ${customersTable.join('; ')};
    delimiter //
    create function raise_value(v varchar(100)) returns int deterministic
      begin signal sqlstate '42S02' set message_text = v, mysql_errno = 1146; return 1; end//
    create function raise_form(v varchar(100)) returns int deterministic begin
      declare said varchar(200) default concat('Table ''', v, '.customers'' doesn''t exist');
      signal sqlstate '42S02' set message_text = said, mysql_errno = 1146; return 1; end//
    delimiter ;
    create user reader identified by 'secret'; grant select, execute on shop.* to reader`;
  const asRoot = ['--no-defaults', `--socket=${socketPath}`, '--user=root'];
  const { status, stderr } = spawnSync('mariadb', asRoot, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function sourceOf(engine: string): RunStep['dataSource'] {
  const id = engine;
  if (engine === 'PostgreSQL')
    return { id, engine, connection: { ...database.connection, host: testHost, tlsMode: 'Disable' } };
  if (engine === 'SQLite') return { id, engine, connection: { file: sqliteFile } };
  if (engine === 'DuckDB')
    return { id, engine, connection: { files: [{ name: 'customers', path: duckdbFile }] } };
  const login = { user: 'reader', password: 'secret', tlsMode: 'Disable', database: 'shop' };
  return { id, engine, connection: { host: mariadb?.host, port: 3306, ...login } };
}

/** Returns the refusal of a run, or undefined if the statement succeeds. */
async function errorOf(steps: RunStep[], finalQuery?: string): Promise<unknown> {
  const signal = new AbortController().signal;
  try {
    const limits = { timeoutMs: 60_000, maxRows: 1_000, maxCellBytes: 100_000 };
    const masking = { isEnabled: true };
    await rowsOf(await runSql.run({ steps, finalQuery: finalQuery ?? null, signal, masking, limits }));
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(['PostgreSQL', 'MySQL', 'SQLite', 'DuckDB'] as const)('an error of %s', (engine) => {
  it.skipIf(engine === 'MySQL' && !hasMariaDb())(
    'repeats no value of a row in any member or cause',
    { timeout: 300_000 },
    async () => {
      const leaks: string[] = [];
      let raised = 0;
      for (const sql of raisingStatements[engine]) {
        const error = await errorOf([{ order: 1, dataSource: sourceOf(engine), sql }]);
        if (error === undefined) continue;
        raised += 1;
        expect(error, sql).toBeInstanceOf(RunSqlRefusal);
        if (leaksIn(textsOf(error), sql).length > 0) leaks.push(sql);
      }
      expect(leaks).toEqual([]);
      expect(raised).toBeGreaterThanOrEqual(50);
    },
  );
});

it('an error of a joined step repeats no value', { timeout: 300_000 }, async () => {
  const leaks: string[] = [];
  const step = {
    order: 1,
    name: 'customers',
    dataSource: sourceOf('SQLite'),
    sql: 'select * from customers',
  };
  for (const [number, sql] of raisingStatements.DuckDB.entries()) {
    // Each join starts a separate process, so only a quarter of the statements is joined.
    if (number % 4 !== 0) continue;
    const error = await errorOf([step], sql);
    if (error !== undefined && leaksIn(textsOf(error), sql).length > 0) leaks.push(sql);
  }
  expect(leaks).toEqual([]);
});
