import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRunSql } from '../index.ts';
import { duckdbCorpus, duckdbFiles } from '../testing/masking-corpus/duckdb.ts';
import { sqliteCorpus, sqliteSchema } from '../testing/masking-corpus/sqlite.ts';
import { expectCorpus } from '../testing/masking-corpus/verdict.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-masking-corpus-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const runSql = createRunSql({
  connectors,
  dial: () => Promise.reject(new Error('Files need no connection.')),
});
const fileOf = (name: string): string => path.join(folder, name);

beforeAll(() => {
  for (const [name, text] of Object.entries(duckdbFiles)) writeFileSync(fileOf(name), text);
  const database = new DatabaseSync(fileOf('people.db'));
  database.exec(sqliteSchema);
  database.close();
});

afterAll(async () => {
  await connectors.close();
  rmSync(folder, { recursive: true });
});

it('masks every personal column of the corpus of DuckDB, and at most two percent of the others', async () => {
  expect(duckdbCorpus.length).toBeGreaterThanOrEqual(400);
  const files = Object.keys(duckdbFiles).map((name) => ({ name: path.parse(name).name, path: fileOf(name) }));
  const dataSource = { id: 'files', engine: 'DuckDB', connection: { files } };
  await expectCorpus({ runSql, dataSource, corpus: duckdbCorpus, needlessShareMax: 0.02 });
}, 1_800_000);

it('masks every personal column of the corpus of SQLite, and at most five percent of the others', async () => {
  expect(sqliteCorpus.length).toBeGreaterThanOrEqual(400);
  const dataSource = { id: 'file', engine: 'SQLite', connection: { file: fileOf('people.db') } };
  await expectCorpus({ runSql, dataSource, corpus: sqliteCorpus, needlessShareMax: 0.05 });
}, 1_800_000);
