import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import { createRunSql } from '../../index.ts';
import { duckdbFiles } from './duckdb.ts';
import { sqliteSchema } from './sqlite.ts';

/** Creates the files of the corpora of DuckDB and SQLite, and a gateway that reads them. */
export function createFileSources() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-masking-corpus-'));
  const connectors = createConnectors({ files: { allowedFolders: [folder] } });
  const dial = () => Promise.reject(new Error('Files need no connection.'));
  const fileOf = (name: string): string => path.join(folder, name);
  for (const [name, text] of Object.entries(duckdbFiles)) writeFileSync(fileOf(name), text);
  const database = new DatabaseSync(fileOf('people.db'));
  database.exec(sqliteSchema);
  database.close();
  const files = Object.keys(duckdbFiles).map((name) => ({ name: path.parse(name).name, path: fileOf(name) }));
  return {
    runSql: createRunSql({ connectors, dial }),
    duckdb: { id: 'files', engine: 'DuckDB', connection: { files } },
    sqlite: { id: 'file', engine: 'SQLite', connection: { file: fileOf('people.db') } },
    close: async (): Promise<void> => {
      await connectors.close();
      rmSync(folder, { recursive: true });
    },
  };
}
