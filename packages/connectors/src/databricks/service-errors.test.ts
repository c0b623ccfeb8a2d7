import { describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { useDatabricks } from './testing/service.ts';

const { server, connector, connectionOf, optionsOf, execute } = useDatabricks();

describe('the Databricks service', () => {
  it('receives the request again after 503 and 429', async () => {
    await rowsOf(await execute('select 1'));
    const before = server().asked.length;
    server().failNext(503, 429);
    expect(await rowsOf(await execute('select 1'))).toHaveLength(1);
    const opened = server()
      .asked.slice(before)
      .filter((request) => request === 'POST /api/2.0/sql/sessions');
    expect(opened).toHaveLength(3);
  });

  it.each([
    [401, 'authentication-failed'],
    [403, 'connection-failed'],
    [404, 'connection-failed'],
    [500, 'statement-failed'],
  ])('with the status %i and no message is reported as %s', async (status, code) => {
    await rowsOf(await execute('select 1'));
    server().failNext(status);
    expect((await errorOf(execute('select 1'))).code).toBe(code);
  });

  it('receives a new token in the next run after it refuses a token', async () => {
    await rowsOf(await execute('select 1'));
    server().failNext(401);
    await errorOf(execute('select 1'));
    const before = server().asked.length;
    expect(await rowsOf(await execute('select 1'))).toHaveLength(1);
    expect(server().asked.slice(before)).toContain('POST /oidc/v1/token');
  });

  it('is refused if its certificate is untrusted or issued for another host', async () => {
    const untrusted = { ...server().connection, caCertificate: undefined };
    expect(
      await connector().testConnection(connector().settings.parse(untrusted), optionsOf()),
    ).toMatchObject({
      isOk: false,
      error: { code: 'tls-failed' },
    });
    const misnamed = connectionOf({ host: 'elsewhere.databricks.test' });
    const dial: ExecuteOptions['dial'] = (_target, options) =>
      server().dial({ host: server().host, port: server().port }, options);
    expect(await connector().testConnection(misnamed, optionsOf({ dial }))).toMatchObject({
      isOk: false,
      error: { code: 'tls-failed' },
    });
  });
});
