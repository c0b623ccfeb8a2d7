import { startSnowflakeServer } from '@svc/testkit/database/snowflake/server.ts';
import { shopAnswer } from '@svc/testkit/database/snowflake/shop.ts';
import { makeKeyPair } from '@svc/testkit/database/snowflake.ts';
import { describe, expect, it } from 'vitest';
import type { ConnectorError } from '../error.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { useSnowflake } from './testing/service.ts';

const { authority, connector, connectionOf, optionsOf, execute, outcomeOf, statementsSince } = useSnowflake();

describe('sign-in to Snowflake', () => {
  it('succeeds with a token that the private key signs', async () => {
    expect(await connector().testConnection(connectionOf(), optionsOf())).toEqual({
      isOk: true,
      serverVersion: 'Snowflake 9.34.0',
      warnings: [],
    });
  });

  it('succeeds with an encrypted key and with a key without line breaks', async () => {
    const pair = makeKeyPair('a pass phrase');
    const otherServer = await startSnowflakeServer({
      authority: authority(),
      answer: shopAnswer,
      publicKeys: { 'ORG-MY_SHOP.SVC': pair.publicKey },
    });
    for (const privateKey of [pair.privateKey, pair.privateKey.replaceAll('\n', '')]) {
      const connection = connectionOf({
        privateKey,
        passphrase: 'a pass phrase',
        account: 'org-my_shop',
        caCertificate: otherServer.caCertificate,
      });
      expect(
        await connector().testConnection(connection, optionsOf({ dial: otherServer.dial })),
      ).toMatchObject({
        isOk: true,
      });
    }
    expect(otherServer.faults).toEqual([]);
    await otherServer.stop();
  });

  it('with a programmatic access token succeeds, and the error for a wrong one does not repeat it', async () => {
    const otherServer = await startSnowflakeServer({
      authority: authority(),
      answer: shopAnswer,
      accessTokens: ['pl4nted-t0ken'],
    });
    const test = (accessToken: string) =>
      connector().testConnection(
        connectionOf({
          signIn: 'AccessToken',
          privateKey: '',
          accessToken,
          caCertificate: otherServer.caCertificate,
        }),
        optionsOf({ dial: otherServer.dial }),
      );
    expect(await test('pl4nted-t0ken')).toMatchObject({ isOk: true });
    const refused = await test('an0ther-t0ken');
    expect(refused).toMatchObject({ isOk: false, error: { code: 'authentication-failed' } });
    expect(JSON.stringify(refused) + (refused.isOk ? '' : refused.error.message)).not.toContain('t0ken');
    await otherServer.stop();
  });

  it('is refused with a key that does not belong to the user', async () => {
    const { privateKey } = makeKeyPair();
    expect(await connector().testConnection(connectionOf({ privateKey }), optionsOf())).toMatchObject({
      isOk: false,
      error: { code: 'authentication-failed', message: 'JWT token is invalid.' },
    });
  });

  it.each([
    ['WRITER', 'INSERT on table'],
    ['INHERITOR', 'INSERT on table'],
    ['OF_DATABASE', 'UPDATE on table'],
    ['SECONDARY', 'INSERT on table'],
    ['ACCOUNTADMIN', 'the role ACCOUNTADMIN'],
  ])('is refused with the role %s, which has write rights, unless this is accepted', async (role, right) => {
    const error = (await outcomeOf({ role })) as ConnectorError;
    expect(error).toMatchObject({ code: 'login-may-write', message: expect.stringContaining(right) });
    expect(await errorOf(execute('select 1', {}, { role }))).toMatchObject({ code: 'login-may-write' });
    expect(await outcomeOf({ role, acceptWritingLogin: true })).toEqual([
      role === 'ACCOUNTADMIN' ? 'superuser' : 'may-write',
    ]);
    expect(await rowsOf(await execute('select 1', {}, { role, acceptWritingLogin: true }))).toHaveLength(1);
  });

  it('reports write rights through noteLogin, instead of a refusal, if the caller passes it', async () => {
    const reports: boolean[] = [];
    const noteLogin = (isPrivileged: boolean) => void reports.push(isPrivileged);
    await rowsOf(await execute('select 1', { noteLogin }, { role: 'WRITER' }));
    await rowsOf(await execute('select 1', { noteLogin }));
    expect(reports).toEqual([true, false]);
  });

  it('checks the login once for repeated runs, and separately for each role', async () => {
    const isLogin = (sql: string) => sql.startsWith('show grants') || sql.includes('current_role');
    const first = await statementsSince(async () => rowsOf(await execute('select 1')));
    const second = await statementsSince(async () => rowsOf(await execute('select 2')));
    const other = await statementsSince(async () =>
      rowsOf(await execute('select 1', {}, { role: 'TABLE_READER' })),
    );
    expect(first.filter(isLogin).length).toBeGreaterThan(2);
    expect(second.filter(isLogin)).toEqual([]);
    expect(other.filter(isLogin).length).toBeGreaterThan(1);
  });

  it.each([
    [{ role: 'nobody' }, 'authentication-failed', 'Role'],
    [{ warehouse: 'gone' }, 'permission-denied', 'There is no warehouse gone'],
    [{ database: '"shop"' }, 'database-not-found', 'There is no database "shop"'],
  ])('reports a missing object: %j', async (change, code, text) => {
    expect(await outcomeOf(change)).toMatchObject({ code, message: expect.stringContaining(text) });
  });
});
