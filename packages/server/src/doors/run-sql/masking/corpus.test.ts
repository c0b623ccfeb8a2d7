import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRunSql, type RunSql } from '../index.ts';
import { corpusSchema, type LabelledStatement, maskingCorpus } from '../testing/masking-corpus/postgresql.ts';
import { rowsOf } from '../testing/results.ts';

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

async function maskedIn(sql: string, rowsWanted?: number) {
  const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
  const result = await runSql.run({
    steps: [{ order: 1, sql, dataSource: { id: 'pg', engine: 'PostgreSQL', connection } }],
    signal: new AbortController().signal,
    masking: { isEnabled: true },
    limits: { maxBytes: 10_000_000 },
    ...(rowsWanted !== undefined && { rowsWanted }),
  });
  const rows = await rowsOf(result);
  const { maskedColumns } = await result.finished;
  const names = maskedColumns.map((name) => name.replaceAll(' ', '_'));
  return { masked: new Set(names), holdsSecret: JSON.stringify(rows).includes('secret') };
}

type Verdict = { readonly leaks: readonly string[]; readonly needless: readonly string[] };

async function verdictOf({ sql, masked, clear }: LabelledStatement, rowsWanted?: number): Promise<Verdict> {
  const found = await maskedIn(sql, rowsWanted);
  const missed = masked.filter((name) => !found.masked.has(name)).map((name) => `${name}: ${sql}`);
  return {
    leaks: found.holdsSecret ? [...missed, sql] : missed,
    needless: clear.filter((name) => found.masked.has(name)).map((name) => `${name}: ${sql}`),
  };
}

/** At most this part of the clear columns may be masked. */
const needlessShareMax = 0.02;

it.each([
  ['in one exchange', 20],
  ['as a stream', undefined],
] as const)(
  'masks every personal column of the corpus, and at most two percent of the others, %s',
  async (_how, rowsWanted) => {
    expect(maskingCorpus.length).toBeGreaterThanOrEqual(400);
    const verdicts: Verdict[] = [];
    for (const statement of maskingCorpus) verdicts.push(await verdictOf(statement, rowsWanted));
    expect(verdicts.flatMap(({ leaks }) => leaks)).toEqual([]);
    const needless = verdicts.flatMap((verdict) => verdict.needless);
    const clearCount = maskingCorpus.reduce((sum, { clear }) => sum + clear.length, 0);
    expect(needless.length / clearCount, needless.join('\n')).toBeLessThanOrEqual(needlessShareMax);
  },
  600_000,
);
