import { afterAll, expect, it } from 'vitest';
import { duckdbCorpus } from '../testing/masking-corpus/duckdb.ts';
import { createFileSources } from '../testing/masking-corpus/file-sources.ts';
import { expectCorpus } from '../testing/masking-corpus/verdict.ts';

const { runSql, duckdb, close } = createFileSources();
afterAll(close);

it('masks every personal column of the DuckDB corpus, and at most two percent of the others', async () => {
  expect(duckdbCorpus.length).toBeGreaterThanOrEqual(400);
  await expectCorpus({ runSql, dataSource: duckdb, corpus: duckdbCorpus, needlessShareMax: 0.02 });
}, 1_800_000);
