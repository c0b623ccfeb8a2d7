import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRunSql, type RunSql } from '../index.ts';
import { corpusSchema, maskingCorpus } from '../testing/masking-corpus/postgresql.ts';
import { expectCorpus } from '../testing/masking-corpus/verdict.ts';

const connectors = createConnectors();
let database: TestDatabase;
let runSql: RunSql;

beforeAll(async () => {
  database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(corpusSchema);
  await client.end();
  runSql = createRunSql({ connectors, dial: databaseDial(database.connection) });
});

afterAll(async () => {
  await connectors.close();
  await database.drop();
});

it.each([
  ['in one exchange', 20],
  ['as a stream', undefined],
] as const)(
  'masks every personal column of the corpus, and at most two percent of the others, %s',
  async (_how, rowsWanted) => {
    expect(maskingCorpus.length).toBeGreaterThanOrEqual(400);
    const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
    const dataSource = { id: 'pg', engine: 'PostgreSQL', connection };
    await expectCorpus({ runSql, dataSource, corpus: maskingCorpus, rowsWanted, needlessShareMax: 0.02 });
  },
  600_000,
);
