import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChildPool } from '../embedded/child-pool.ts';
import { startWorker, streamRows } from '../embedded/job.ts';
import { createFilePolicy } from '../files/file-policy.ts';
import { sqliteDialect } from '../sql/dialects.ts';
import { withLongGaps } from '../testing/gaps.ts';
import { answeredOf, refusedOf } from '../testing/read-only-suite.ts';
import { rowsOf } from '../testing/results.ts';
import { sqliteReads, sqliteRefused } from '../testing/statements/sqlite.ts';
import { createSqliteConnector } from './index.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-sqlite-read-only-'));
const file = path.join(folder, 'shop.db');
const pool = createChildPool({ kind: 'sqlite', max: 1, jobsPerChildMax: 1_000 });
const connector = createSqliteConnector({ pool, files: createFilePolicy({ allowedFolders: [folder] }) });
const options = {
  dial: () => Promise.reject(new Error('SQLite needs no connection.')),
  signal: new AbortController().signal,
  timeoutMs: 600_000,
  maxRows: 100_000,
  maxBytes: 100_000_000,
  maxCellBytes: 1_000_000,
};
const execute = (sql: string) => connector.execute({ file }, { sql }, options);
const fingerprint = () => createHash('sha256').update(readFileSync(file)).digest('hex');

beforeAll(() => {
  const database = new DatabaseSync(file);
  database.exec(`
    create table customer (id integer primary key, name text, email text, created text);
    create table orders (id integer primary key, customer_id int, amount real, placed text, status text);
    create virtual table words using fts5 (body);
    insert into words values ('quick brown fox');
    insert into customer values (1, 'Ann', 'ann@example.com', '2024-01-01'), (2, 'Bob', null, '2024-01-02');
    insert into orders values (1, 1, 9.5, '2024-02-01', 'open'), (2, 1, 3, '2024-02-02', 'closed')`);
  database.close();
});

afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

describe('read-only access to SQLite', () => {
  it('refuses at least 150 statements that would do more than read, and no file changes', async () => {
    const before = fingerprint();
    expect(await answeredOf(sqliteRefused, execute)).toEqual([]);
    expect(fingerprint()).toBe(before);
    expect(readdirSync(folder)).toEqual(['shop.db']);
    expect(existsSync('/tmp/svc-refused-sqlite')).toBe(false);
  }, 900_000);

  it('writes nothing even without the check of the text, due to the read-only file and the authorizer', async () => {
    const before = fingerprint();
    const { maxRows, maxBytes, maxCellBytes } = options;
    const limits = { maxRows, maxBytes, maxCellBytes };
    for (const sql of sqliteRefused) {
      const job = { type: 'sqlite', path: file, sql, values: [], wantReads: false, limits } as const;
      const started = startWorker(pool, job, options).then(streamRows);
      await started.then(rowsOf).catch(() => undefined);
    }
    expect(fingerprint()).toBe(before);
    expect(readdirSync(folder)).toEqual(['shop.db']);
    expect(existsSync('/tmp/svc-refused-sqlite')).toBe(false);
  }, 900_000);

  it('executes at least 100 legitimate reads, also with 64 kB of blanks or comments between tokens', async () => {
    expect(await refusedOf(sqliteReads, execute)).toEqual([]);
    expect(await refusedOf(withLongGaps(sqliteReads, sqliteDialect), execute)).toEqual([]);
  }, 900_000);
});
