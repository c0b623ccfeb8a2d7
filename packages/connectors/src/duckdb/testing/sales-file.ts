import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createChildPool } from '../../embedded/child-pool.ts';
import { createFilePolicy } from '../../files/file-policy.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../../port.ts';
import { createDuckdbConnector } from '../index.ts';

export const csvText = 'id,name,day,amount\n1,Ann,2024-02-29,1.50\n2,"é🙂",2024-03-01,\n';

/** Creates a connector with one CSV file, the table `sales`, for the tests of a file. Returns functions that use it. */
export function useSalesFile() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-duckdb-test-'));
  const temporaryParent = mkdtempSync(path.join(os.tmpdir(), 'svc-duckdb-temp-'));
  const csv = path.join(folder, "sales '24.csv");
  const pool = createChildPool({ kind: 'duckdb', max: 4, temporaryParent });
  const connector = createDuckdbConnector({
    pool,
    files: createFilePolicy({ allowedFolders: [folder] }),
    resources: { memoryMb: 256, temporaryMb: 256, threads: 2 },
  });
  const connection = { files: [{ name: 'sales', path: csv }] };
  const options: ExecuteOptions = {
    dial: () => Promise.reject(new Error('DuckDB needs no connection.')),
    signal: new AbortController().signal,
    timeoutMs: 110_000,
    maxRows: 2_000_000,
    maxBytes: 1_000_000_000,
    maxCellBytes: 1_000_000,
  };

  beforeAll(() => writeFileSync(csv, csvText));
  afterAll(async () => {
    await pool.close();
    rmSync(folder, { recursive: true });
    rmSync(temporaryParent, { recursive: true });
  });

  const execute = (
    statement: string | Statement,
    change: Partial<ExecuteOptions> = {},
  ): Promise<ResultStream> =>
    connector.execute(connection, typeof statement === 'string' ? { sql: statement } : statement, {
      ...options,
      ...change,
    });

  return { folder, temporaryParent, csv, connector, connection, options, execute };
}
