import { describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { useSnowflake } from './testing/service.ts';

const { server, connector, connectionOf, optionsOf, execute } = useSnowflake();

describe('the Snowflake service', () => {
  it('receives a request again after 503 and 429, with the same request id', async () => {
    await rowsOf(await execute('select 1'));
    const before = server().asked.length;
    server().failNext(503, 429);
    const waits: number[] = [];
    const noteRetry = (waitedMs: number) => void waits.push(waitedMs);
    expect(await rowsOf(await execute('select 1', { noteRetry }))).toHaveLength(1);
    expect(waits.map((waitedMs) => Math.floor(waitedMs / 500))).toEqual([1, expect.toBeOneOf([2, 3])]);
    const submitted = server()
      .asked.slice(before)
      .filter((request) => request.startsWith('POST'));
    expect(submitted).toHaveLength(3);
    expect(new Set(submitted).size).toBe(1);
  });

  it.each([
    [401, 'authentication-failed'],
    [403, 'connection-failed'],
    [404, 'connection-failed'],
    [500, 'statement-failed'],
  ])('with the status %i and no message is reported as %s', async (status, code) => {
    server().failNext(status);
    expect((await errorOf(execute('select 1'))).code).toBe(code);
  });

  it('is refused if its certificate is untrusted or issued for another host', async () => {
    const untrusted = { ...server().connection, caCertificate: undefined };
    expect(
      await connector().testConnection(connector().settings.parse(untrusted), optionsOf()),
    ).toMatchObject({
      isOk: false,
      error: { code: 'tls-failed' },
    });
    const misnamed = connectionOf({ host: 'elsewhere.snowflake.test' });
    const dial: ExecuteOptions['dial'] = (_target, options) =>
      server().dial({ host: server().host, port: server().port }, options);
    expect(await connector().testConnection(misnamed, optionsOf({ dial }))).toMatchObject({
      isOk: false,
      error: { code: 'tls-failed' },
    });
  });
});
