import { spawnSync } from 'node:child_process';
import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import mysql, { type Connection } from 'mysql2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clickhouseDialect, mysqlDialect } from './sql/dialects.ts';
import { compareReadings, type EngineReader } from './testing/differential/compare.ts';
import {
  duckdbReader,
  executingReader,
  postgresqlReader,
  sqliteReader,
} from './testing/differential/engines.ts';

/** Cases of each test run. `trials/lexer-differential/run.ts` accepts any number. */
const inProcessCases = 4_000;
const serverCases = 1_500;
const seed = 20_260_101;

const areServersThere = { mariadb: hasMariaDb(), clickhouse: hasClickhouse() };
let mariadb: TestMariaDb | undefined;
let clickhouse: TestClickhouse | undefined;
let client: Connection | undefined;

beforeAll(async () => {
  if (areServersThere.clickhouse) clickhouse = await startClickhouse();
  if (!areServersThere.mariadb) return;
  mariadb = await startMariaDb();
  const { socketPath } = mariadb;
  const asRoot = ['--no-defaults', `--socket=${socketPath}`, '--user=root'];
  const input = "create user reader identified by 'secret'";
  const { status, stderr } = spawnSync('mariadb', asRoot, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  client = mysql.createConnection({ socketPath, user: 'reader', password: 'secret', rowsAsArray: true });
}, 600_000);

afterAll(async () => {
  client?.destroy();
  await clickhouse?.stop();
  await mariadb?.stop();
});

async function expectNoDifference(reader: EngineReader, cases: number): Promise<void> {
  const { compared, differences } = await compareReadings(reader, cases, seed);
  expect(differences).toEqual([]);
  // Texts that both sides refuse do not count.
  expect(compared).toBeGreaterThan(cases / 20);
}

describe('random texts are read as the engine reads them', () => {
  it('by PostgreSQL', () => expectNoDifference(postgresqlReader, inProcessCases), 600_000);

  it('by DuckDB', async () => {
    const reader = await duckdbReader();
    await expectNoDifference(reader, inProcessCases).finally(reader.close);
  }, 600_000);

  it('by SQLite', async () => {
    const reader = sqliteReader();
    await expectNoDifference(reader, inProcessCases).finally(reader.close);
  }, 600_000);

  it.skipIf(!areServersThere.mariadb)(
    'by MariaDB',
    async () => {
      const query = (sql: string) =>
        new Promise<unknown>((resolve, reject) => {
          client?.query(sql, (error: unknown, rows: unknown) =>
            error ? reject(error) : resolve(Array.isArray(rows) ? rows : undefined),
          );
        });
      await expectNoDifference(executingReader(mysqlDialect, query), serverCases);
    },
    600_000,
  );

  it.skipIf(!areServersThere.clickhouse)(
    'by ClickHouse',
    async () => {
      const query = async (sql: string) => clickhouse?.query(sql);
      await expectNoDifference(executingReader(clickhouseDialect, query), serverCases);
    },
    600_000,
  );
});
