import { startSnowflakeServer, type TestSnowflake } from '@svc/testkit/database/snowflake/server.ts';
import { shopAnswer } from '@svc/testkit/database/snowflake/shop.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { canonicalText } from '../sql/canonical-text.ts';
import { snowflakeDialect } from '../sql/dialects.ts';
import { answeredOf, passedOf, refusedOf } from '../testing/read-only-suite.ts';
import { snowflakeReads, snowflakeRefused } from '../testing/statements/snowflake.ts';
import { createSnowflakeConnector } from './index.ts';
import type { SnowflakeConnection } from './settings.ts';

const connector = createSnowflakeConnector();
let server: TestSnowflake;
let connection: SnowflakeConnection;
let options: ExecuteOptions;

beforeAll(async () => {
  const authority = await createTestAuthority();
  // The server answers every request, so only the gate can refuse.
  server = await startSnowflakeServer({ authority, answer: shopAnswer, accessTokens: ['pl4nted-t0ken'] });
  connection = connector.settings.parse({
    host: server.host,
    caCertificate: server.caCertificate,
    user: 'svc',
    signIn: 'AccessToken',
    accessToken: 'pl4nted-t0ken',
    role: 'writer',
    acceptWritingLogin: true,
    warehouse: 'work',
    database: 'shop',
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

describe('the read-only gate of Snowflake', () => {
  it('refuses at least 150 statements that would do more than read, and sends none of them', async () => {
    expect(await answeredOf(snowflakeRefused, execute)).toEqual([]);
    expect(server.submissions).toEqual([]);
  });

  it('accepts at least 100 reads and runs each of them', async () => {
    expect(await refusedOf(snowflakeReads, execute)).toEqual([]);
    const sent = new Set(server.submissions.map(({ statement }) => statement));
    expect(snowflakeReads.filter((sql) => !sent.has(canonicalText(sql, snowflakeDialect)))).toEqual([]);
  });

  it('refuses in a preflight the statements that a run refuses', async () => {
    const check = async (sql: string) => connector.dryRun?.check({ sql }, connection);
    expect(await passedOf(snowflakeRefused, check)).toEqual([]);
  });
});
