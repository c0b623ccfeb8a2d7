import {
  startDatabricksServer,
  type TestDatabricks,
  warehouseId,
} from '@svc/testkit/database/databricks/server.ts';
import { shopAnswer } from '@svc/testkit/database/databricks/shop.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from '../testing/results.ts';
import { type DatabricksConnection, databricksSettings } from './settings.ts';
import { createTokens } from './tokens.ts';

let server: TestDatabricks;
let connection: DatabricksConnection;
let call: Parameters<ReturnType<typeof createTokens>['get']>[1];

beforeAll(async () => {
  server = await startDatabricksServer({
    authority: await createTestAuthority(),
    answer: shopAnswer,
    clients: { reader: 'pl4nted-s3cret' },
    tokenLifetimeSeconds: 3_600,
  });
  connection = databricksSettings.parse({
    host: server.host,
    caCertificate: server.caCertificate,
    warehouseId,
    catalog: 'shop',
    clientId: 'reader',
    clientSecret: 'pl4nted-s3cret',
  });
  call = { dial: server.dial, signal: new AbortController().signal };
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.stop();
});

describe('tokens of a service principal', () => {
  it('are reused until five minutes before they expire, only for the same credentials', async () => {
    let now = 0;
    const tokens = createTokens(() => now);
    const first = await tokens.get(connection, call);
    now = 3_299_999;
    expect(await tokens.get({ ...connection, catalog: 'other' }, call)).toBe(first);
    now = 3_300_000;
    const second = await tokens.get(connection, call);
    expect(second).not.toBe(first);
    tokens.forget(second);
    expect(await tokens.get(connection, call)).not.toBe(second);
    const other = { ...connection, clientSecret: 'an0ther-s3cret' };
    expect((await errorOf(tokens.get(other, call))).code).toBe('authentication-failed');
  });

  it('are refused with the message of the workspace, without the secret', async () => {
    const error = await errorOf(createTokens().get({ ...connection, clientSecret: 'wr0ng-s3cret' }, call));
    expect(error).toMatchObject({
      code: 'authentication-failed',
      engineCode: 'HTTP 401',
      message: 'Databricks refuses the service principal: Client authentication failed',
    });
    expect(JSON.stringify([error.message, error.hint, String(error.cause)])).not.toContain('s3cret');
  });

  it('are not requested if a personal access token is configured', async () => {
    const before = server.asked.length;
    const withAccessToken = { ...connection, signIn: 'AccessToken' as const, accessToken: 'dapi0' };
    expect(await createTokens().get(withAccessToken, call)).toBe('dapi0');
    expect(server.asked).toHaveLength(before);
  });
});
