import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { createConnectors } from '../connectors.ts';

/** Limits of reads that a busy machine does not reach. */
export const fileReadOptions = {
  signal: new AbortController().signal,
  timeoutMs: 110_000,
  maxRows: 100_000,
  maxBytes: 100_000_000,
  maxCellBytes: 1_000_000,
  dial: () => Promise.reject(new Error('Files need no network.')),
};

/**
 * Creates a folder and the connector that may read its files. Removes both after the tests of the file.
 *
 * @returns `written` writes a file and returns its entry in the list of a data source
 */
export function useFileFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-files-'));
  const connectors = createConnectors({ files: { allowedFolders: [folder] } });
  afterAll(async () => {
    await connectors.close();
    rmSync(folder, { recursive: true });
  });
  const connector = connectors.get('DuckDB');
  return {
    folder,
    connector,
    execute: (files: readonly object[], sql: string) =>
      connector.execute({ files }, { sql }, fileReadOptions),
    written: (name: string, content: string | Buffer) => {
      writeFileSync(path.join(folder, name), content);
      return { name: path.parse(name).name, path: path.join(folder, name) };
    },
  };
}
