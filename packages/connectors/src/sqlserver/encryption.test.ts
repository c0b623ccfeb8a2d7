import { startSqlserver, type TestSqlserver } from '@svc/testkit/database/sqlserver.ts';
import { createTestAuthority, type TestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { rowsOf } from '../testing/results.ts';
import { createSqlserverConnector } from './index.ts';
import type { SqlserverConnection } from './settings.ts';

const connector = createSqlserverConnector();
const password = 's3cret-Passw0rd';
let authority: TestAuthority;
let server: TestSqlserver;
let misnamed: TestSqlserver;

beforeAll(async () => {
  authority = await createTestAuthority();
  server = await startSqlserver(await authority.issue('sqlserver.test'));
  misnamed = await startSqlserver(await authority.issue('elsewhere.test'));
});
afterAll(() => Promise.all([server.stop(), misnamed.stop()]));

type Mode = SqlserverConnection['tlsMode'];
const connectionOf = (at: TestSqlserver, tlsMode: Mode, isTrusted: boolean): SqlserverConnection => ({
  host: at.host,
  port: at.port,
  database: 'shop',
  user: 'reader',
  password,
  tlsMode,
  ...(isTrusted ? { caCertificate: authority.certificate } : {}),
});
const optionsOf = (at: TestSqlserver): ExecuteOptions => ({
  dial: at.dial,
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  maxRows: 1_000,
  maxBytes: 1_000_000,
  maxCellBytes: 100_000,
});

describe('a SQL Server that accepts only encrypted connections', () => {
  it.each<[tlsMode: Mode, isTrusted: boolean, isNamed: boolean]>([
    ['Require', false, false],
    ['VerifyCa', true, false],
    ['VerifyCa', true, true],
    ['VerifyFull', true, true],
  ])('returns rows with %s (trusted: %s, matching name: %s)', async (tlsMode, isTrusted, isNamed) => {
    const at = isNamed ? server : misnamed;
    const sql = 'select id, name from dbo.customers';
    const rows = rowsOf(
      await connector.execute(connectionOf(at, tlsMode, isTrusted), { sql }, optionsOf(at)),
    );
    expect(await rows).toEqual([
      [1, 'Ann'],
      [2, 'Bob'],
    ]);
  });

  it.each<[tlsMode: Mode, isTrusted: boolean, isNamed: boolean, words: string]>([
    ['VerifyCa', false, true, 'is not trusted'],
    ['VerifyFull', false, true, 'is not trusted'],
    ['VerifyFull', true, false, 'is not made out to sqlserver.test'],
    ['Disable', false, true, 'takes only encrypted connections'],
  ])(
    'receives no login with %s (trusted: %s, matching name: %s)',
    async (tlsMode, isTrusted, isNamed, text) => {
      const at = isNamed ? server : misnamed;
      const events = at.watch();
      const test = await connector.testConnection(connectionOf(at, tlsMode, isTrusted), optionsOf(at));
      expect(test).toMatchObject({ isOk: false, error: { code: 'tls-failed' } });
      expect(!test.isOk && test.error.message).toContain(text);
      await expect.poll(() => events().map(({ kind }) => kind)).toContain('closed');
      expect(events().some(({ kind }) => kind === 'login')).toBe(false);
    },
  );
});
