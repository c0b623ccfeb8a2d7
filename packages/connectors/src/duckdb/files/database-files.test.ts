import { mkdtempSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../connectors.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-database-files-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const connector = connectors.get('DuckDB');
const options = {
  signal: new AbortController().signal,
  timeoutMs: 110_000,
  maxRows: 100_000,
  maxBytes: 100_000_000,
  maxCellBytes: 1_000_000,
  dial: () => Promise.reject(new Error('no network')),
};
const place = (name: string) => path.join(folder, name);
const read = async (file: object, sql: string) =>
  rowsOf(await connector.execute({ files: [file] }, { sql }, options));

async function make(name: string, statements: readonly string[]): Promise<{ name: string; path: string }> {
  const instance = await DuckDBInstance.create(place(name));
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  return { name: path.parse(name).name, path: place(name) };
}

let shop: { name: string; path: string };
beforeAll(async () => {
  writeFileSync(place('secret.csv'), 'secret\nplanted\n');
  shop = await make('shop.duckdb', [
    "create type mood as enum ('glum@example.org')",
    "create table orders as select 1 as id, 'ana@example.org' as email, null::mood as feels",
    "create macro reveal(x) as 'planted'",
    'create table "odd "" name" as select 2 as id',
    `create view leak as select * from read_csv('${place('secret.csv')}')`,
  ]);
});
afterAll(async () => {
  await connectors.close();
  rmSync(folder, { recursive: true });
});

describe('a DuckDB file', () => {
  it('is read by its only table or by the configured table', async () => {
    const one = await make('one.duckdb', ['create table t as select 5 as n']);
    expect(await read(one, 'select n from one')).toEqual([[5]]);
    expect(await read({ ...shop, table: 'odd " name' }, 'select id from shop')).toEqual([[2]]);
    const several = await errorOf(read(shop, 'select * from shop'));
    expect(several.message).toBe(
      'The file shop.duckdb has several tables. Name one in the settings of the file: odd " name, orders.',
    );
    const missing = await errorOf(read({ ...shop, table: 'x' }, 'select * from shop'));
    expect(missing.message).toContain('has no table x. Its tables are:');
  });

  it('provides only its listed table to a statement and is not written', async () => {
    const before = statSync(shop.path).mtimeMs;
    const listed = { ...shop, table: 'orders' };
    expect((await errorOf(read({ ...shop, table: 'leak' }, 'select * from shop'))).message).toContain(
      'has no table leak',
    );
    for (const sql of [
      'select * from "file of shop".main.leak',
      'select * from "file of shop".leak',
      `select * from query_table('"file of shop".main.leak')`,
      'select * from "file of shop".main.orders',
      'select "file of shop".main.reveal(1) from shop',
      'select * from duckdb_views()',
      'select * from duckdb_tables, shop',
      'select * from information_schema.tables',
      'select * from pg_catalog.pg_views',
      'select * from shop where id in (select 1 from sqlite_master)',
      'show all tables',
      'select * from histogram_values("file of shop".main.leak, id)',
      'select * from histogram("file of shop".main.leak, id)',
      `select json_serialize_plan('select * from "file of shop".main.leak')`,
      `select * from sql_auto_complete('select * from ')`,
      'select null::"file of shop".main.mood from shop',
      'select enum_range(null::mood) from shop',
    ]) {
      // The connector attaches the file only if the statement contains its name, even in a comment.
      const error = await errorOf(read(listed, `${sql} /* shop */`));
      expect([sql, error.code]).toEqual([
        sql,
        expect.stringMatching(/permission-denied|statement-failed|function-refused/),
      ]);
      for (const secret of ['planted', 'secret.csv', 'glum@example.org', 'odd " name'])
        expect([sql, error.message]).toEqual([sql, expect.not.stringContaining(secret)]);
    }
    const proposed = await errorOf(read(listed, 'select * from order_, shop'));
    expect(proposed.message).not.toContain('file of');
    const write = await errorOf(read(listed, 'insert into "file of shop".main.orders values (3, null)'));
    expect(write.code).toBe('not-a-read');
    expect(statSync(shop.path).mtimeMs).toBe(before);
    const { tables } = await connector.readMetadata({ files: [listed] }, options);
    expect(
      tables.map(({ name, columns }) => [name, columns.map((column) => [column.name, column.databaseType])]),
    ).toEqual([
      [
        'shop',
        [
          ['id', 'integer'],
          ['email', 'varchar'],
          ['feels', 'enum'],
        ],
      ],
    ]);
    const result = await connector.execute({ files: [listed] }, { sql: 'select feels from shop' }, options);
    expect(result.columns.map(({ databaseType }) => databaseType)).toEqual(['enum']);
    await result.close();
  });

  it('has the same columns as its view, so the column origins are known', async () => {
    const same = await make('same.duckdb', ["create table same as select 1 as id, 'hunter2' as password"]);
    const result = await connector.execute(
      { files: [same] },
      { sql: 'with t(a, b) as (select * from same) select b from t' },
      { ...options, wantOrigins: true },
    );
    expect(JSON.stringify(result.columns)).toContain('password');
    await result.close();
  });

  it('may have a name that begins like a catalog name', async () => {
    const database = await make('sqlite_export.duckdb', ['create table t as select 7 as id']);
    writeFileSync(place('pg_orders.csv'), 'id\n1\n');
    const files = [database, { name: 'pg_orders', path: place('pg_orders.csv') }];
    for (const sql of [
      'select id from sqlite_export',
      'select pg_typeof(pg_orders.id) from sqlite_export, pg_orders',
    ]) {
      const result = await connector.execute({ files }, { sql }, options);
      await result.close();
    }
  });

  it('with a symbolic link next to it does not open the target of the link', async () => {
    writeFileSync(place('outside.txt'), 'planted\n');
    writeFileSync(place('plain.csv'), 'id\n1\n');
    symlinkSync(place('outside.txt'), `${place('plain.csv')}.wal`);
    symlinkSync(place('outside.txt'), `${shop.path}.wal`);
    for (const file of [
      { name: 'plain', path: place('plain.csv') },
      { ...shop, table: 'orders' },
    ])
      for (const target of [`${file.path}.wal`, place('outside.txt')]) {
        const sql = `select * from ${file.name}, read_csv('${target}', header = false, columns = {'x': 'VARCHAR'})`;
        expect((await errorOf(read(file, sql))).message).not.toContain('planted');
      }
    unlinkSync(`${shop.path}.wal`);
  });

  it('that is not a valid database is refused', async () => {
    writeFileSync(place('none.duckdb'), 'text');
    const error = await errorOf(read({ name: 'none', path: place('none.duckdb') }, 'select * from none'));
    expect(error).toMatchObject({ code: 'file-unreadable' });
  });
});
