import { startDatabricksServer } from '@svc/testkit/database/databricks/server.ts';
import { shopAnswer } from '@svc/testkit/database/databricks/shop.ts';
import { describe, expect, it } from 'vitest';
import type { ConnectorError } from '../error.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { useDatabricks } from './testing/service.ts';

const { server, authority, connector, connectionOf, optionsOf, execute, outcomeOf, statementsSince } =
  useDatabricks();

describe('sign-in to Databricks', () => {
  it('as a service principal requests one token and caches it', async () => {
    const before = server().asked.length;
    expect(await connector().testConnection(connectionOf(), optionsOf())).toEqual({
      isOk: true,
      serverVersion: 'Databricks SQL 2026.30',
      warnings: [],
    });
    await rowsOf(await execute('select 1'));
    const tokens = server()
      .asked.slice(before)
      .filter((request) => request === 'POST /oidc/v1/token');
    expect(tokens).toHaveLength(1);
  });

  it('with a personal access token succeeds, and the error for a wrong one does not repeat it', async () => {
    const otherServer = await startDatabricksServer({
      authority: authority(),
      answer: shopAnswer,
      accessTokens: { 'pl4nted-t0ken': 'reader' },
    });
    const test = (accessToken: string) =>
      connector().testConnection(
        connectionOf({ signIn: 'AccessToken', accessToken, caCertificate: otherServer.caCertificate }),
        optionsOf({ dial: otherServer.dial }),
      );
    expect(await test('pl4nted-t0ken')).toMatchObject({ isOk: true });
    const refused = await test('an0ther-t0ken');
    expect(refused).toMatchObject({
      isOk: false,
      error: { code: 'authentication-failed', message: 'Invalid access token.' },
    });
    expect(JSON.stringify(refused) + (refused.isOk ? '' : refused.error.message)).not.toContain('t0ken');
    expect(otherServer.asked).not.toContain('POST /oidc/v1/token');
    await otherServer.stop();
  });

  it('is refused with a wrong secret of the service principal', async () => {
    expect(await outcomeOf({ clientSecret: 'an0ther-s3cret' })).toMatchObject({
      code: 'authentication-failed',
      message: expect.stringContaining('Client authentication failed'),
    });
  });

  it.each([
    ['writer', 'MODIFY on table'],
    ['maker', 'CREATE TABLE on schema'],
    ['manager', 'MANAGE on catalog'],
    ['everything', 'ALL PRIVILEGES on catalog'],
    ['owner', 'OWNERSHIP on schema'],
    ['uploader', 'WRITE VOLUME on volume'],
    ['admin', 'it administers the workspace'],
  ])('is refused as %s, a user with write rights, unless this is accepted', async (user, right) => {
    const login = server().as(user);
    const error = (await outcomeOf(login)) as ConnectorError;
    expect(error).toMatchObject({ code: 'login-may-write', message: expect.stringContaining(right) });
    expect(await errorOf(execute('select 1', {}, login))).toMatchObject({ code: 'login-may-write' });
    const accepted = { ...login, acceptWritingLogin: true };
    expect(await outcomeOf(accepted)).toEqual([user === 'admin' ? 'superuser' : 'may-write']);
    expect(await rowsOf(await execute('select 1', {}, accepted))).toHaveLength(1);
  });

  it('reports write rights through noteLogin, instead of a refusal, if the caller passes it', async () => {
    const reports: boolean[] = [];
    const noteLogin = (isPrivileged: boolean) => void reports.push(isPrivileged);
    await rowsOf(await execute('select 1', { noteLogin }, server().as('writer')));
    await rowsOf(await execute('select 1', { noteLogin }));
    expect(reports).toEqual([true, false]);
  });

  it('checks the login once for repeated runs, and separately for each login', async () => {
    const isLogin = (sql: string) => sql.includes('_privileges') || sql.includes('current_version');
    const first = await statementsSince(async () => rowsOf(await execute('select 1')));
    const second = await statementsSince(async () => rowsOf(await execute('select 2')));
    const other = await statementsSince(async () =>
      rowsOf(await execute('select 1', {}, server().as('other'))),
    );
    expect(first.filter(isLogin)).toHaveLength(2);
    expect(second.filter(isLogin)).toEqual([]);
    expect(other.filter(isLogin)).toHaveLength(2);
  });

  it.each([
    [{ warehouseId: '0000' }, 'connection-failed', 'SQL warehouse 0000 does not exist'],
    [{ catalog: 'gone' }, 'database-not-found', 'There is no catalog gone'],
  ])('reports a missing object: %j', async (change, code, text) => {
    expect(await outcomeOf(change)).toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it('is refused if the warehouse uses its own time zone', async () => {
    expect(await outcomeOf(server().as('elsewhere'))).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('Europe/Berlin'),
    });
  });
});
