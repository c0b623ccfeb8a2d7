import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll } from 'vitest';
import type { FileSettings } from '../../file-settings.ts';
import { createFileView } from '../../file-view.ts';

/** Opens an engine for the tests of a file. Returns functions that use it. */
export function useCsvReader() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-csv-lines-'));
  let instance: DuckDBInstance;
  let connection: Awaited<ReturnType<DuckDBInstance['connect']>>;
  let viewCount = 0;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  });

  /** Returns the refusal of a file, or its rows. */
  async function read(content: string | Buffer, settings: FileSettings) {
    viewCount += 1;
    const name = `view${viewCount}`;
    const file = path.join(folder, `${name}.csv`);
    writeFileSync(file, content);
    const decoded = { path: `${file}.copy`, space: { bytesMax: 10_000_000, bytesLeft: 10_000_000 } };
    const listed = { name, path: file, format: 'csv', settings } as const;
    const view = await createFileView(connection, listed, { decoded, memoryBytes: 512_000_000 });
    if ('refusal' in view) return view.refusal.replace(`${name}.csv`, 'the file');
    const rows = await connection.runAndReadAll(`SELECT * FROM ${name}`);
    return rows.getRowsJson();
  }

  return { folder, connection: () => connection, read };
}
