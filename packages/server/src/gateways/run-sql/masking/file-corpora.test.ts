import { afterAll, expect, it } from 'vitest';
import { duckdbCorpus } from '../testing/masking-corpus/duckdb.ts';
import { createFileSources } from '../testing/masking-corpus/file-sources.ts';
import { sqliteCorpus } from '../testing/masking-corpus/sqlite.ts';
import { expectCorpus } from '../testing/masking-corpus/verdict.ts';

const { runSql, duckdb, sqlite, close } = createFileSources();
afterAll(close);

// All statements are in `file-corpora.torture.test.ts`. Each statement starts a new DuckDB.
it('masks every personal column of each eighth statement in the DuckDB corpus, and at most two percent of the others', async () => {
  const corpus = duckdbCorpus.filter((_, index) => index % 8 === 0);
  await expectCorpus({ runSql, dataSource: duckdb, corpus, needlessShareMax: 0.02 });
});

it('masks every personal column of the SQLite corpus, and at most five percent of the others', async () => {
  expect(sqliteCorpus.length).toBeGreaterThanOrEqual(400);
  await expectCorpus({ runSql, dataSource: sqlite, corpus: sqliteCorpus, needlessShareMax: 0.05 });
});
