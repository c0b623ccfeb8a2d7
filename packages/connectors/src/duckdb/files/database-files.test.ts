import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  ...{ signal: new AbortController().signal, timeoutMs: 110_000, maxRows: 100_000 },
  ...{ maxBytes: 100_000_000, maxCellBytes: 1_000_000 },
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
    "create table orders as select 1 as id, 'ana@example.org' as email",
    'create table "odd "" name" as select 2 as id',
    `create view leak as select * from read_csv('${place('secret.csv')}')`,
  ]);
});
afterAll(async () => {
  await connectors.close();
  rmSync(folder, { recursive: true });
});

describe('a DuckDB file', () => {
  it('is read by its only table, or by the table that is named', async () => {
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

  it('gives no view of its own a way to other files, is not written, and shows its listed table alone', async () => {
    const before = statSync(shop.path).mtimeMs;
    const view = await errorOf(read({ ...shop, table: 'leak' }, 'select * from shop'));
    expect(view.message).toContain('has no table leak');
    const direct = await errorOf(
      read({ ...shop, table: 'orders' }, 'select * from "file of shop".main.leak'),
    );
    expect(direct.message).not.toContain('planted');
    const write = await errorOf(
      read({ ...shop, table: 'orders' }, 'insert into "file of shop".main.orders values (3, null)'),
    );
    expect(write.code).toBe('not-a-read');
    expect(statSync(shop.path).mtimeMs).toBe(before);
    const { tables } = await connector.readMetadata({ files: [{ ...shop, table: 'orders' }] }, options);
    expect(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])).toEqual([
      ['shop', ['id', 'email']],
    ]);
  });

  it('that is none is refused', async () => {
    writeFileSync(place('none.duckdb'), 'text');
    const error = await errorOf(read({ name: 'none', path: place('none.duckdb') }, 'select * from none'));
    expect(error).toMatchObject({ code: 'file-unreadable' });
  });
});
