import {
  startDatabricksServer,
  type TestDatabricks,
  warehouseId,
} from '@svc/testkit/database/databricks/server.ts';
import { shopAnswer } from '@svc/testkit/database/databricks/shop.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { canonicalText } from '../sql/canonical-text.ts';
import { databricksDialect } from '../sql/dialects.ts';
import { answeredOf, passedOf, refusedOf } from '../testing/read-only-suite.ts';
import { errorOf } from '../testing/results.ts';
import { databricksReads } from '../testing/statements/databricks/reads.ts';
import { databricksRefused } from '../testing/statements/databricks/refused.ts';
import { createDatabricksConnector } from './index.ts';
import type { DatabricksConnection } from './settings.ts';

const connector = createDatabricksConnector();
let server: TestDatabricks;
let connection: DatabricksConnection;
let options: ExecuteOptions;

beforeAll(async () => {
  const authority = await createTestAuthority();
  // The server answers every request, so only the gate can refuse.
  server = await startDatabricksServer({
    authority,
    answer: shopAnswer,
    accessTokens: { 'pl4nted-t0ken': 'writer' },
  });
  connection = connector.settings.parse({
    host: server.host,
    caCertificate: server.caCertificate,
    warehouseId,
    catalog: 'shop',
    signIn: 'AccessToken',
    accessToken: 'pl4nted-t0ken',
    acceptWritingLogin: true,
  });
  options = {
    dial: server.dial,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    maxRows: 1_000,
    maxBytes: 1_000_000,
    maxCellBytes: 100_000,
  };
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.stop();
});

const execute = (sql: string) => connector.execute(connection, { sql }, options);
const check = async (sql: string) => connector.dryRun?.check({ sql }, connection);

describe('the read-only gate of Databricks', () => {
  it('refuses at least 150 statements that would do more than read, and sends none of them', async () => {
    expect(await answeredOf(databricksRefused, execute)).toEqual([]);
    expect(server.submissions).toEqual([]);
  });

  it('accepts at least 100 reads and runs each of them', async () => {
    expect(await refusedOf(databricksReads, execute)).toEqual([]);
    const sent = new Set(server.submissions.map(({ statement }) => statement));
    expect(databricksReads.filter((sql) => !sent.has(canonicalText(sql, databricksDialect)))).toEqual([]);
  });

  it('refuses in a preflight the statements that a run refuses', async () => {
    expect(await passedOf(databricksRefused, check)).toEqual([]);
  });

  it('returns the error and its position', async () => {
    const refusalOf = (sql: string): Promise<unknown> => errorOf(check(sql));
    expect(await refusalOf("select 1,\n  java_method('a', 'b')")).toMatchObject({
      code: 'function-refused',
      position: { line: 2, column: 3 },
    });
    expect(await refusalOf('select * from csv.`/x`')).toMatchObject({
      code: 'not-a-read',
      message: expect.stringContaining('write the catalog in front'),
    });
    expect(await refusalOf('with a as (select 1) delete from b')).toMatchObject({ code: 'not-a-read' });
    expect(await refusalOf('select :p')).toMatchObject({
      message: expect.stringContaining('write {{name}}'),
    });
  });
});
