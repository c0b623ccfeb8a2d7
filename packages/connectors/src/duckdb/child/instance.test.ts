import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openDuckdb } from './instance.ts';

it.each([
  [64, '61.0 MiB'],
  [512, '488.2 MiB'],
  [2_000, '1.8 GiB'],
])(
  'a memory limit of %i MB is that many million bytes, which the engine reports as %s',
  async (memoryMb, text) => {
    const temporaryFolder = mkdtempSync(path.join(os.tmpdir(), 'svc-duckdb-memory-'));
    const resources = { memoryMb, temporaryMb: 64, threads: 1 };
    const duckdb = await openDuckdb({ temporaryFolder, resources });
    const limit = await duckdb.connection.runAndReadAll("SELECT current_setting('memory_limit')");
    expect(limit.getRowsJson()).toEqual([[text]]);
    duckdb.close();
    rmSync(temporaryFolder, { recursive: true });
  },
);
