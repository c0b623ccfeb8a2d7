import { once } from 'node:events';
import { type AddressInfo, connect, type Server } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import {
  hasClickhouse,
  hasOldClickhouse,
  startClickhouse,
  startOldClickhouse,
  type TestClickhouse,
} from '@svc/testkit/database/clickhouse.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dial } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createClickhouseConnector } from './index.ts';
import type { ClickhouseConnection } from './settings.ts';
import { grantWarnings } from './test-connection.ts';

const connector = createClickhouseConnector();
const call = (dial: Dial) => ({ dial, signal: new AbortController().signal, timeoutMs: 20_000 });
const limits = { maxRows: 1_000, maxBytes: 100_000, maxCellBytes: 10_000 };

describe.skipIf(!hasOldClickhouse())('unsupported version ClickHouse 18.16', () => {
  let server: TestClickhouse;
  beforeAll(async () => {
    server = await startOldClickhouse();
  });
  afterAll(() => server.stop());
  const connectionOf = (change: Partial<ClickhouseConnection>): ClickhouseConnection => ({
    host: server.host,
    port: server.port,
    database: 'default',
    user: 'default',
    password: '',
    tlsMode: 'Disable',
    ...change,
  });

  it('is refused as too old in a connection test, a run and a metadata read', async () => {
    const refusal = {
      code: 'connection-failed',
      message: 'The server is ClickHouse 18.16.1, which is too old: version 22.8 or a newer one is needed.',
    };
    const options = call(server.dial);
    expect(await connector.testConnection(connectionOf({}), options)).toMatchObject({
      isOk: false,
      error: refusal,
    });
    const execute = connector.execute(connectionOf({}), { sql: 'select 1' }, { ...options, ...limits });
    expect(await errorOf(execute)).toMatchObject(refusal);
    expect(await errorOf(connector.readMetadata(connectionOf({}), options))).toMatchObject(refusal);
  });

  it('recognizes the old messages for a wrong password and a missing database', async () => {
    const wrong = await connector.testConnection(
      connectionOf({ user: 'reader', password: 'wr0ng' }),
      call(server.dial),
    );
    expect(wrong).toMatchObject({
      isOk: false,
      error: { code: 'authentication-failed', message: 'Wrong password for user reader' },
    });
    const nowhere = await connector.testConnection(connectionOf({ database: 'nowhere' }), call(server.dial));
    expect(nowhere).toMatchObject({ isOk: false, error: { code: 'database-not-found' } });
  });
});

describe.skipIf(!hasClickhouse())('ClickHouse over TLS', () => {
  let server: TestClickhouse;
  let front: Server;
  let ca: string;
  let strangersCa: string;
  let dial: Dial;
  beforeAll(async () => {
    server = await startClickhouse();
    const authority = await createTestAuthority();
    ca = authority.certificate;
    strangersCa = (await createTestAuthority()).certificate;
    const certificate = await authority.issue('clickhouse.test');
    front = createTlsServer(certificate, (secure: TLSSocket) => {
      const plain = connect({ host: '127.0.0.1', port: server.port });
      secure.on('error', () => plain.destroy());
      plain.on('error', () => secure.destroy());
      secure.pipe(plain).pipe(secure);
    }).listen(0, '127.0.0.1');
    front.on('tlsClientError', () => undefined);
    await once(front, 'listening');
    const { port } = front.address() as AddressInfo;
    dial = async (_target, { signal }) => {
      const socket = connect({ host: '127.0.0.1', port, signal });
      await once(socket, 'connect');
      return socket;
    };
  });
  afterAll(async () => {
    front.close();
    await server.stop();
  });
  const connectionOf = (change: Partial<ClickhouseConnection>): ClickhouseConnection => ({
    host: 'clickhouse.test',
    port: 8443,
    database: 'default',
    user: 'default',
    password: '',
    tlsMode: 'VerifyFull',
    ...change,
  });

  it.each([
    ['VerifyFull', 'clickhouse.test'],
    ['VerifyCa', 'other.test'],
    ['Require', 'other.test'],
  ] as const)('reads with the mode %s from %s', async (tlsMode, host) => {
    const connection = connectionOf({ tlsMode, host, ...(tlsMode !== 'Require' && { caCertificate: ca }) });
    const result = await connector.execute(connection, { sql: 'select 42' }, { ...call(dial), ...limits });
    expect(await rowsOf(result)).toEqual([[42]]);
  });

  it('refuses a certificate of another name, an untrusted authority, and a server without TLS', async () => {
    const codeOf = async (change: Partial<ClickhouseConnection>, by: Dial = dial) => {
      const test = await connector.testConnection(connectionOf(change), call(by));
      return test.isOk ? 'connected' : test.error.code;
    };
    expect(await codeOf({ host: 'other.test', caCertificate: ca })).toBe('tls-failed');
    expect(await codeOf({ caCertificate: strangersCa })).toBe('tls-failed');
    expect(await codeOf({ tlsMode: 'VerifyCa', caCertificate: strangersCa })).toBe('tls-failed');
    expect(await codeOf({ caCertificate: ca }, server.dial.bind(null))).toBe('tls-failed');
  });

  it('connects through the dial function of the caller and reports its refusal', async () => {
    const refused = await connector.testConnection(
      connectionOf({}),
      call(() => Promise.reject(new Error('This address is not allowed.'))),
    );
    expect(refused).toMatchObject({
      isOk: false,
      error: { code: 'destination-refused', message: 'This address is not allowed.' },
    });
  });
});

describe('grants of a ClickHouse user', () => {
  const codes = (grants: string[], isReadOnly = false) =>
    grantWarnings(grants, { isReadOnly }).map(({ code }) => code);

  it('cause warnings if they permit more than reading', () => {
    expect(codes(['GRANT SHOW, SELECT ON shop.* TO svc_reader', 'GRANT role TO svc_reader'])).toEqual([]);
    expect(codes(['GRANT SELECT(id, name), dictGet ON shop.customer TO x'])).toEqual([]);
    expect(codes(['GRANT SELECT, INSERT ON *.* TO x'])).toEqual(['may-write']);
    expect(codes(['GRANT SELECT, INSERT ON *.* TO x'], true)).toEqual([]);
    expect(codes(['GRANT SELECT ON *.* TO x', 'GRANT FILE, URL ON *.* TO x'])).toEqual([
      'reads-server-files',
    ]);
    expect(codes(['GRANT READ ON S3 TO x'])).toEqual(['reads-server-files']);
    expect(codes(['GRANT ALL ON *.* TO x WITH GRANT OPTION'])).toEqual(['superuser']);
  });

  it('are created by a role script that quotes any database name', () => {
    expect(connector.roleScript?.('my`shop')).toContain('grant select, show on `my\\`shop`.* to svc_reader;');
  });
});
