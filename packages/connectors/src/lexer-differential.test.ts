import { hasClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { hasMariaDb } from '@svc/testkit/database/mariadb.ts';
import { describe, expect, it } from 'vitest';
import { compareReadings, type EngineReader } from './testing/differential/compare.ts';
import { duckdbReader, postgresqlReader, sqliteReader } from './testing/differential/engines.ts';
import { clickhouseReader, mariadbReader } from './testing/differential/servers.ts';

/** Cases of each test run. `trials/lexer-differential/run.ts` accepts any number. */
const inProcessCases = 4_000;
const serverCases = 1_500;
const seed = 20_260_101;
const maxMs = 600_000;

type ClosableReader = EngineReader & { readonly close?: () => unknown };

async function expectNoDifference(reader: ClosableReader, cases: number): Promise<void> {
  try {
    const { compared, differences } = await compareReadings(reader, cases, seed);
    expect(differences).toEqual([]);
    // Texts that both sides refuse do not count.
    expect(compared).toBeGreaterThan(cases / 20);
  } finally {
    await reader.close?.();
  }
}

describe('the lexer on random texts', () => {
  it('agrees with PostgreSQL', () => expectNoDifference(postgresqlReader, inProcessCases), maxMs);
  it('agrees with DuckDB', async () => expectNoDifference(await duckdbReader(), inProcessCases), maxMs);
  it('agrees with SQLite', () => expectNoDifference(sqliteReader(), inProcessCases), maxMs);
  it.skipIf(!hasMariaDb())(
    'agrees with MariaDB',
    async () => expectNoDifference(await mariadbReader(), serverCases),
    maxMs,
  );
  it.skipIf(!hasClickhouse())(
    'agrees with ClickHouse',
    async () => expectNoDifference(await clickhouseReader(), serverCases),
    maxMs,
  );
});
