import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChildPool } from '../embedded/child-pool.ts';
import { createFilePolicy } from '../files/file-policy.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { longestPauseMs } from '../testing/event-loop.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createSqliteConnector } from './index.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-sqlite-test-'));
const file = path.join(folder, 'shop.db');
const pool = createChildPool({ kind: 'sqlite', max: 2 });
const connector = createSqliteConnector({ pool, files: createFilePolicy({ allowedFolders: [folder] }) });
const options: ExecuteOptions = {
  dial: () => Promise.reject(new Error('SQLite needs no connection.')),
  signal: new AbortController().signal,
  timeoutMs: 110_000,
  maxRows: 2_000_000,
  maxBytes: 1_000_000_000,
  maxCellBytes: 1_000_000,
};

beforeAll(() => {
  const database = new DatabaseSync(file);
  database.exec(`
    create table customer (id integer primary key, email text not null default 'none', large int, price real, data blob);
    create table "order" (a int, b int, customer_id int references customer (id), unique (a, b));
    create view big as select * from "order";
    create virtual table words using fts5 (body);
    insert into words values ('quick brown fox');
    insert into customer values (1, 'é🙂', 9223372036854775807, 1.5, x'00ff'), (2, 'b', null, null, null)`);
  database.close();
});

afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

const execute = (
  statement: string | Statement,
  change: Partial<ExecuteOptions> = {},
): Promise<ResultStream> =>
  connector.execute({ file }, typeof statement === 'string' ? { sql: statement } : statement, {
    ...options,
    ...change,
  });

describe('SQLite', () => {
  it('returns every kind of value exactly and names the columns', async () => {
    const result = await execute(
      'select id, email as e, large, price, data, null as n, 1 + 1 as two from customer',
    );
    expect(result.columns).toMatchObject([
      { name: 'id', kind: 'integer', databaseType: 'integer', origin: { column: 'id' } },
      { name: 'e', kind: 'text', origin: { column: 'email' } },
      { name: 'large', kind: 'integer' },
      { name: 'price', kind: 'float' },
      { name: 'data', kind: 'binary' },
      { name: 'n', kind: 'text', origin: null },
      { name: 'two', kind: 'integer', origin: null },
    ]);
    expect(await rowsOf(result)).toEqual([
      [1, 'é🙂', '9223372036854775807', 1.5, '00ff', null, 2],
      [2, 'b', null, null, null, null, 2],
    ]);
    const empty = await execute('select * from "order"');
    expect(empty.columns.map((column) => column.name)).toEqual(['a', 'b', 'customer_id']);
    expect(await rowsOf(empty)).toEqual([]);
  });

  it('binds values as parameters, outside the text', async () => {
    const result = await execute({
      sql: 'select ?1 as a, ?2 + 1 as b, ?3 as c, ?1 as d, ?4 as e limit ?5',
      values: [
        { type: 'String', value: "'; drop table customer --" },
        { type: 'Number', value: '41' },
        { type: 'Boolean', value: true },
        { type: 'DateTime', value: '2024-02-29T12:30:00.000Z' },
        { type: 'Number', value: '1' },
      ],
    });
    const text = "'; drop table customer --";
    expect(await rowsOf(result)).toEqual([[text, 42, 1, text, '2024-02-29 12:30:00']]);
  });

  it('streams a million rows without blocking the event loop for 500 ms', async () => {
    const sql =
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000) select i, 'row ' || i as t from n";
    let count = 0;
    const pause = await longestPauseMs(async () => {
      for await (const batch of (await execute(sql)).batches) count += batch.rowCount;
    });
    expect(count).toBe(1_000_000);
    expect(pause).toBeLessThan(500);
  });

  it('stops an endless statement at its time limit without blocking the event loop', async () => {
    const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n';
    const pause = await longestPauseMs(async () => {
      expect(await errorOf(execute(endless, { timeoutMs: 300 }))).toMatchObject({ code: 'timed-out' });
    });
    expect(pause).toBeLessThan(500);
    const controller = new AbortController();
    const running = execute(endless, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await errorOf(running)).toMatchObject({ code: 'cancelled' });
    expect(await rowsOf(await execute('select 1'))).toEqual([[1]]);
  });

  it('applies its limits of rows, bytes and value size', async () => {
    const rows =
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 50) select i from n';
    expect(await rowsOf(await execute(rows, { maxRows: 50 }))).toHaveLength(50);
    expect(await errorOf(execute(rows, { maxRows: 49 }).then(rowsOf))).toMatchObject({
      code: 'too-many-rows',
    });
    const large = "select hex(zeroblob(100000000)) || 'x'";
    expect(await errorOf(execute(large).then(rowsOf))).toMatchObject({ code: 'value-too-large' });
    const wide = "select printf('%.*c', 900000, 'x') from (select 1 union all select 2 union all select 3)";
    expect(await errorOf(execute(wide, { maxBytes: 2_000_000 }).then(rowsOf))).toMatchObject({
      code: 'too-many-bytes',
    });
  });

  it('executes the next statement after a statement that was not read to its end', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const result = await execute(
        'with recursive n (i) as (select 1 union all select i + 1 from n) select i from n',
      );
      for await (const batch of result.batches) {
        expect(batch.rowCount).toBeGreaterThan(0);
        break;
      }
      const unread = await execute('select 1');
      await unread.close();
    }
    expect(await rowsOf(await execute('select count(*) from customer'))).toEqual([[2]]);
  });

  it('returns the position of an error', async () => {
    expect(await errorOf(execute('select 1,\n nope from customer'))).toMatchObject({
      code: 'statement-failed',
      position: { line: 2, column: 2 },
    });
  });

  it('supports full-text search', async () => {
    expect(await rowsOf(await execute("select body from words where words match 'brown'"))).toEqual([
      ['quick brown fox'],
    ]);
  });

  it('reads tables, columns, keys and indexes as metadata', async () => {
    const metadata = await connector.readMetadata({ file }, options);
    expect(metadata.tables.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'big View',
      'customer Table',
      'order Table',
      'words Table',
    ]);
    expect(metadata.tables[1]).toMatchObject({
      columns: [
        { name: 'id' },
        { name: 'email', databaseType: 'text', isNullable: false, defaultValue: "'none'" },
        {},
        {},
        {},
      ],
      primaryKey: ['id'],
    });
    expect(metadata.tables[2]).toMatchObject({
      foreignKeys: [{ columns: ['customer_id'], toTable: 'customer', toColumns: ['id'] }],
      indexes: [{ isUnique: true, isPrimary: false, columns: ['a', 'b'] }],
    });
    expect(await connector.testConnection({ file }, options)).toMatchObject({ isOk: true, warnings: [] });
  });

  it('opens only database files in an allowed folder', async () => {
    const attempt = (other: string) =>
      errorOf(connector.execute({ file: other }, { sql: 'select 1' }, options));
    symlinkSync('/etc/passwd', path.join(folder, 'link.db'));
    writeFileSync(path.join(folder, 'text.db'), 'some text, no database');
    expect(await attempt('/etc/passwd')).toMatchObject({ code: 'file-not-allowed' });
    expect(await attempt(path.join(folder, 'link.db'))).toMatchObject({ code: 'file-not-allowed' });
    expect(await attempt(`${folder}/../${path.basename(folder)}/../../etc/passwd`)).toMatchObject({
      code: 'file-not-allowed',
    });
    expect(await attempt('shop.db')).toMatchObject({ code: 'file-not-allowed' });
    expect(await attempt(path.join(folder, 'gone.db'))).toMatchObject({ code: 'file-unreadable' });
    expect(await attempt(path.join(folder, 'text.db'))).toMatchObject({ code: 'file-unreadable' });
    expect(await attempt(folder)).toMatchObject({ code: 'file-not-allowed' });
  });
});
