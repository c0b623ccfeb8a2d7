import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChildPool } from '../embedded/child-pool.ts';
import { startWorker, streamRows } from '../embedded/job.ts';
import { createFilePolicy } from '../files/file-policy.ts';
import { duckdbDialect } from '../sql/dialects.ts';
import { withLongGaps } from '../testing/gaps.ts';
import { answeredOf, refusedOf } from '../testing/read-only-suite.ts';
import { rowsOf } from '../testing/results.ts';
import { duckdbReads, duckdbRefused } from '../testing/statements/duckdb.ts';
import { formatOf } from './files/file-formats.ts';
import { createDuckdbConnector } from './index.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-duckdb-read-only-'));
const temporaryParent = mkdtempSync(path.join(os.tmpdir(), 'svc-duckdb-run-'));
const customer = path.join(folder, 'customer.csv');
const orders = path.join(folder, 'orders.csv');
const pool = createChildPool({ kind: 'duckdb', max: 1, jobsPerChildMax: 1_000, temporaryParent });
const connector = createDuckdbConnector({
  pool,
  files: createFilePolicy({ allowedFolders: [folder] }),
  resources: { memoryMb: 256, temporaryMb: 256, threads: 2 },
});
const options = {
  dial: () => Promise.reject(new Error('DuckDB needs no connection.')),
  signal: new AbortController().signal,
  timeoutMs: 600_000,
  maxRows: 100_000,
  maxBytes: 100_000_000,
  maxCellBytes: 1_000_000,
};
const connection = {
  files: [
    { name: 'customer', path: customer },
    { name: 'orders', path: orders },
  ],
};
const execute = (sql: string) => connector.execute(connection, { sql }, options);
const statements = duckdbRefused.map((sql) => sql.replaceAll('FILE', customer).replaceAll('FOLDER', folder));
/** Remaining temporary folders of statements. */
const runFolders = () =>
  readdirSync(temporaryParent, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('run-'));
const fingerprint = () =>
  createHash('sha256').update(readFileSync(customer)).update(readFileSync(orders)).digest('hex');

beforeAll(() => {
  writeFileSync(customer, 'id,name,email,created\n1,Ann,ann@example.com,2024-01-01\n2,Bob,,2024-01-02\n');
  writeFileSync(
    orders,
    'id,customer_id,amount,placed,status\n1,1,9.50,2024-02-01 10:00:00,open\n2,1,3.00,2024-02-02 11:00:00,closed\n',
  );
  writeFileSync(path.join(folder, 'private.csv'), 'secret\n1\n');
});

afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
  rmSync(temporaryParent, { recursive: true });
});

describe('read-only access to DuckDB', () => {
  it('refuses at least 150 statements that would do more than read, and no file changes', async () => {
    const before = fingerprint();
    const statements = duckdbRefused.map((sql) =>
      sql.replaceAll('FILE', customer).replaceAll('FOLDER', folder),
    );
    expect(await answeredOf(statements, execute)).toEqual([]);
    expect(fingerprint()).toBe(before);
    expect(readdirSync(folder).sort()).toEqual(['customer.csv', 'orders.csv', 'private.csv']);
    expect(readdirSync('/tmp').filter((name) => name.startsWith('svc-refused-duckdb'))).toEqual([]);
    await expect.poll(runFolders).toEqual([]);
  }, 900_000);

  it('writes nothing even without the check of the text, due to the prepared type and the locked instance', async () => {
    const before = fingerprint();
    const { maxRows, maxBytes, maxCellBytes } = options;
    for (const sql of statements.filter((text) => !text.includes('pg_sleep'))) {
      const job = {
        type: 'duckdb',
        files: connection.files.map((file) => ({
          ...file,
          format: formatOf(file.path) ?? 'csv',
          settings: {},
        })),
        sql,
        values: [],
        wantSources: false,
        resources: { memoryMb: 256, temporaryMb: 256, threads: 2 },
        limits: { maxRows, maxBytes, maxCellBytes },
      } as const;
      const started = startWorker(pool, job, options).then(streamRows);
      await started.then(rowsOf).catch(() => undefined);
    }
    expect(fingerprint()).toBe(before);
    expect(readdirSync(folder).sort()).toEqual(['customer.csv', 'orders.csv', 'private.csv']);
    expect(readdirSync('/tmp').filter((name) => name.startsWith('svc-refused-duckdb'))).toEqual([]);
  }, 900_000);

  it('executes at least 100 legitimate reads, also with 64 kB of blanks or comments between tokens', async () => {
    expect(await refusedOf(duckdbReads, execute)).toEqual([]);
    expect(await refusedOf(withLongGaps(duckdbReads, duckdbDialect), execute)).toEqual([]);
  }, 900_000);
});
