import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { MigrationProgress } from '@svc/jobs';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Migration, migrate, withMigrationConnection } from './migrate.ts';

const file = (name: string, sql: string): Migration => ({ name, sql, checksum: sql });
const outside = (sql: string): string => `-- svc: no-transaction\n${sql}`;
/** Far below the duration of the slow migrations. */
const limitMs = 200;
const slow = 'select pg_sleep(1);';

let database: TestDatabase;
let client: pg.Client;
const processes: ChildProcess[] = [];

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  await client.end();
  await database.drop();
});

/** A connection with time limits for statements and idle transactions, as in the pool. */
const limited = (): pg.ClientConfig => ({
  ...database.connection,
  statement_timeout: limitMs,
  query_timeout: limitMs,
  idle_in_transaction_session_timeout: limitMs,
});
const migrateOn = (
  connection: pg.ClientConfig,
  migrations: readonly Migration[],
  onProgress?: (progress: MigrationProgress) => void,
): Promise<string[]> =>
  withMigrationConnection(connection, (session) => migrate(session, migrations, onProgress));

const one = async (sql: string): Promise<unknown> =>
  Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
const isSleeping = (): Promise<unknown> =>
  one(
    "select count(*)::int from pg_stat_activity where state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid() and datname = current_database()",
  );

function startProcess(migrations: readonly Migration[]): ChildProcess {
  const script = path.join(import.meta.dirname, '../../../../../tools/test/migrate-process.ts');
  const child = spawn(process.execPath, ['--conditions=svc-source', script], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ connection: database.connection, migrations }));
  processes.push(child);
  return child;
}

describe('a migration file that takes longer than the limits of the connection', () => {
  test.each([
    ['in a transaction', slow],
    ['outside a transaction', outside(slow)],
  ])('is applied %s', async (_where, sql) => {
    expect(await migrateOn(limited(), [file('0001-slow.sql', sql)])).toEqual(['0001-slow.sql']);
  });

  test('is applied if the role has the limit', async () => {
    const admin = new pg.Client(database.adminConnection);
    await admin.connect();
    const role = database.connection.database;
    await admin.query(`create role ${role} login password 'p'; grant create on database ${role} to ${role}`);
    await admin.query(`alter role ${role} set statement_timeout = ${limitMs}`);
    const connection = { ...database.connection, user: role, password: 'p' };
    try {
      expect(await migrateOn(connection, [file('0001-slow.sql', slow)])).toEqual(['0001-slow.sql']);
    } finally {
      await admin.query(`drop owned by ${role}; drop role ${role}`);
      await admin.end();
    }
  });

  test('leaves the limits of a passed connection unchanged', async () => {
    await client.query("set statement_timeout = '7s'; set lock_timeout = '3s'");
    await migrate(client, [file('0001-fast.sql', 'select 1')]);
    expect(await one('show statement_timeout')).toBe('7s');
    expect(await one('show lock_timeout')).toBe('3s');
    expect(
      await one(
        'select count(*)::int from pg_locks where locktype = $$advisory$$ and database = (select oid from pg_database where datname = current_database())',
      ),
    ).toBe(0);
  });
});

describe('a migration file that runs outside a transaction', () => {
  const table = file('0001-table.sql', 'create table svc.t (a int); insert into svc.t values (1), (1)');
  const build =
    'drop index concurrently if exists svc.t_a; create unique index concurrently t_a on svc.t (a);';
  const after = file('0003-after.sql', 'alter table svc.t add b int');

  test('can build an index concurrently, between files that share a transaction', async () => {
    const plain = file('0002-index.sql', outside(build.replace('unique ', '')));
    expect(await migrateOn(database.connection, [table, plain, after])).toHaveLength(3);
    expect(await one("select indisvalid from pg_index where indexrelid = 'svc.t_a'::regclass")).toBe(true);
  });

  test('retains the preceding files if it fails half-way, and runs again from its first statement', async () => {
    const files = [table, file('0002-index.sql', outside(build)), after];
    await expect(migrateOn(database.connection, files)).rejects.toThrow('could not create unique index');
    expect(await one("select indisvalid from pg_index where indexrelid = 'svc.t_a'::regclass")).toBe(false);
    await client.query('truncate svc.t');
    expect(await migrateOn(database.connection, files)).toEqual(['0002-index.sql', '0003-after.sql']);
    expect(await one("select indisvalid from pg_index where indexrelid = 'svc.t_a'::regclass")).toBe(true);
  });

  test('is refused before any file is applied if it cannot run again', async () => {
    const unsafe = file(
      '0002-index.sql',
      outside('create index concurrently if not exists t_a on svc.t (a)'),
    );
    await expect(migrateOn(database.connection, [table, unsafe])).rejects.toThrow(
      'put "drop index concurrently if exists t_a" before the index is created',
    );
    expect(await one("select to_regclass('svc.t')")).toBeNull();
  });
});

describe('a migration whose process is killed half-way', () => {
  test.each([
    ['in a transaction', 'create table svc.done (a int); select pg_sleep(600);', null],
    [
      'outside a transaction',
      outside('create table if not exists svc.done (a int); select pg_sleep(600);'),
      'svc.done',
    ],
  ])('ends at the server, and the next process continues: %s', async (_where, sql, remainingTable) => {
    const child = startProcess([file('0001-long.sql', sql)]);
    await expect.poll(isSleeping).toBe(1);
    child.kill('SIGKILL');
    // The same file with a last statement that ends: the server notices the connection of a dead process.
    await expect.poll(isSleeping).toBe(0);
    expect(await one("select to_regclass('svc.done')::text")).toBe(remainingTable);
    const shorter = sql.replace('pg_sleep(600)', 'pg_sleep(0)');
    expect(await migrateOn(database.connection, [file('0001-long.sql', shorter)])).toHaveLength(1);
    expect(await one("select to_regclass('svc.done')::text")).toBe('svc.done');
  });
});

describe('replicas that start together', () => {
  test('build a concurrent index in turn, and a waiting replica reports that it waits', async () => {
    const files = [
      file('0001-table.sql', 'create table svc.t (a int)'),
      file(
        '0002-index.sql',
        outside(
          'select pg_sleep(2); drop index concurrently if exists svc.t_a; create index concurrently t_a on svc.t (a);',
        ),
      ),
    ];
    const reports: MigrationProgress[] = [];
    const tell = (progress: MigrationProgress): void => void reports.push(progress);
    const applied = await Promise.all([1, 2, 3].map(() => migrateOn(limited(), files, tell)));
    expect(applied.flat()).toEqual(['0001-table.sql', '0002-index.sql']);
    expect(reports.filter(({ kind }) => kind === 'waiting').length).toBeGreaterThan(0);
    expect(reports.filter(({ kind }) => kind === 'applied')).toMatchObject([
      { name: '0001-table.sql', position: 1, total: 2, isFirst: true },
      { name: '0002-index.sql', position: 2, total: 2, statement: { position: 3, total: 3 } },
    ]);
  });
});
