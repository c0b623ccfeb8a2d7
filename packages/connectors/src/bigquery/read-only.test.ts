import { startBigQuery, type TestBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { answeredOf, passedOf, refusedOf } from '../testing/read-only-suite.ts';
import { errorOf } from '../testing/results.ts';
import { bigqueryReads, bigqueryRefused, bigqueryWrites } from '../testing/statements/bigquery.ts';
import { createBigQueryConnector } from './index.ts';
import { openSession } from './session.ts';
import { checkByDryRun } from './statement/dry-run.ts';
import { createTokens } from './tokens.ts';

const connector = createBigQueryConnector();
let server: TestBigQuery;
let options: ExecuteOptions;
beforeAll(async () => {
  server = await startBigQuery(await createTestAuthority());
  server.service.give(/[\s\S]/, { fields: [{ name: 'a', type: 'INTEGER' }], rows: [['1']] });
  options = {
    dial: server.dial,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    maxRows: 1_000,
    maxBytes: 1_000_000,
    maxCellBytes: 100_000,
  };
});
beforeEach(() => {
  server.asked.length = 0;
});
afterAll(() => server.stop());

const connection = () => connector.settings.parse(server.connection);
const execute = (sql: string) => connector.execute(connection(), { sql }, options);

it('refuses at least 150 statements and runs none of them', async () => {
  expect(await answeredOf(bigqueryRefused, execute)).toEqual([]);
  expect(server.asked.filter(({ method }) => method === 'jobs.query')).toEqual([]);
});

it('refuses the same statements in a dry run', async () => {
  const check = async (sql: string) => connector.dryRun?.check({ sql }, connection());
  expect(await passedOf(bigqueryRefused, check)).toEqual([]);
});

it('refuses writing statements through the dry run alone, without the gate', async () => {
  const session = await openSession({ connection: connection(), tokens: createTokens() }, options);
  for (const sql of bigqueryWrites)
    expect(await errorOf(checkByDryRun(session, { sql })), sql).toMatchObject({ code: 'not-a-read' });
  await session.end();
  expect(server.asked.map(({ method }) => method)).toEqual(bigqueryWrites.map(() => 'jobs.insert'));
});

it('executes at least 100 legitimate reads, each after its dry run', async () => {
  expect(await refusedOf(bigqueryReads, execute)).toEqual([]);
  expect(server.asked.map(({ method }) => method)).toEqual(
    bigqueryReads.flatMap(() => ['jobs.insert', 'jobs.query']),
  );
  expect(server.faults).toEqual([]);
});
