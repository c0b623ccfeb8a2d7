import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answeredOf, passedOf, refusedOf } from '../testing/read-only-suite.ts';
import { restEndpoints } from '../testing/statements/rest/endpoints.ts';
import { restReads } from '../testing/statements/rest/reads.ts';
import { restRefused } from '../testing/statements/rest/refused.ts';
import { createRestConnector } from './index.ts';

const connector = createRestConnector();
const row = { id: 1, day: '2024-01-01', at: '2024-01-01T00:00:00Z', is: true, list: [1, 2], 'a/b': 1 };
let api: TestRestApi;
beforeAll(async () => {
  api = await startRestApi(() => ({
    body: {
      data: [row, row],
      one: row,
      deep: { er: { list: [row] } },
      'a/b': [row],
      'm~n': [row],
      list: [row, row],
      next: null,
      links: {},
      meta: { cursor: '' },
    },
  }));
});
afterAll(() => api.stop());

const connection = () => connector.settings.parse({ baseUrl: api.baseUrl, endpoints: restEndpoints });
const execute = (sql: string) =>
  connector.execute(
    connection(),
    { sql },
    {
      dial: api.dial,
      signal: new AbortController().signal,
      timeoutMs: 5_000,
      maxRows: 1_000,
      maxBytes: 1_000_000,
      maxCellBytes: 100_000,
    },
  );

it('refuses at least 150 statements and sends no request for them', async () => {
  expect(await answeredOf(restRefused, execute)).toEqual([]);
  expect(api.asked).toEqual([]);
});

it('refuses the same statements in a dry run', async () => {
  const check = async (sql: string) => connector.dryRun?.check({ sql }, connection());
  expect(await passedOf(restRefused, check)).toEqual([]);
});

it('executes at least 100 legitimate reads, each with GET below the base URL', async () => {
  api.asked.length = 0;
  expect(await refusedOf(restReads, execute)).toEqual([]);
  expect(api.asked.filter((line) => !/^GET \/v1\/(orders|people|reports)\b/.test(line))).toEqual([]);
  expect(api.asked.length).toBeGreaterThanOrEqual(restReads.length);
});
