import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { createChildPool } from '../embedded/child-pool.ts';
import { createFilePolicy } from '../files/file-policy.ts';
import { rowsOf } from '../testing/results.ts';
import { createSqliteConnector } from './index.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'svc-sqlite-wal-'));
const pool = createChildPool({ kind: 'sqlite', max: 1 });
const connector = createSqliteConnector({ pool, files: createFilePolicy({ allowedFolders: [root] }) });
const options = {
  dial: () => Promise.reject(new Error('SQLite needs no connection.')),
  signal: new AbortController().signal,
  timeoutMs: 600_000,
  maxRows: 1_000_000,
  maxBytes: 1_000_000_000,
  maxCellBytes: 1_000_000,
};
const execute = (file: string, sql: string) => connector.execute({ file }, { sql }, options);

afterAll(async () => {
  await pool.close();
  rmSync(root, { recursive: true });
});

/** Creates a database with a write-ahead log in a separate folder, and leaves the writer open. */
function openWriter(name: string) {
  const folder = path.join(root, name);
  mkdirSync(folder);
  const file = path.join(folder, 'shop.db');
  const writer = new DatabaseSync(file);
  writer.exec('pragma journal_mode = wal; create table t (i integer); insert into t values (1)');
  return { folder, file, writer };
}

describe('a SQLite database with a write-ahead log', () => {
  it('can be read after its writer has closed it, and no file is created next to it', async () => {
    const { folder, file, writer } = openWriter('closed');
    writer.close();
    expect(readdirSync(folder)).toEqual(['shop.db']);
    expect(await rowsOf(await execute(file, 'select i from t'))).toEqual([[1]]);
    expect(await connector.testConnection({ file }, options)).toMatchObject({ isOk: true });
    expect(readdirSync(folder)).toEqual(['shop.db']);
  }, 600_000);

  it('can be read with the changes in its log while its writer is open', async () => {
    const { file, writer } = openWriter('open');
    writer.exec('insert into t values (2)');
    expect(await rowsOf(await execute(file, 'select i from t order by i'))).toEqual([[1], [2]]);
    writer.close();
  }, 600_000);

  it('is refused if only its application can apply the log', async () => {
    const { file, writer } = openWriter('source');
    const folder = path.join(root, 'copied');
    mkdirSync(folder);
    const copied = path.join(folder, 'shop.db');
    for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${copied}${ending}`);
    writer.close();
    await expect(execute(copied, 'select i from t').then(rowsOf)).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('write-ahead log'),
    });
  }, 600_000);

  it('fails a statement if a writer changed the file during the read', async () => {
    const { file, writer } = openWriter('changed');
    writer.exec(
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000) insert into t select i from n',
    );
    writer.close();
    const { batches } = await execute(file, 'select i from t');
    const walk = batches[Symbol.asyncIterator]();
    expect((await walk.next()).done).toBe(false);
    const second = new DatabaseSync(file);
    second.exec('insert into t values (3); pragma wal_checkpoint(truncate)');
    second.close();
    const rest = async () => {
      while (!(await walk.next()).done);
    };
    await expect(rest()).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('changed while it was read'),
    });
  }, 600_000);
});
