import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { createTestAuthority, type TestCertificate } from '@svc/testkit/service/certificates.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../../port.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';
import { createPostgresqlConnector } from '../index.ts';

const connector = createPostgresqlConnector();
let database: TestDatabase;
let ca: string;
let front: Server;
let options: ExecuteOptions;
let cancelRequests = 0;

/** Adds TLS to the tests' server, which has none: it performs the protocol's TLS upgrade with a real certificate. */
function startTlsFront({ key, cert }: TestCertificate, target: NetConnectOpts): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, key, cert });
      const server = connect(target);
      secure.on('error', () => server.destroy());
      server.on('error', () => secure.destroy());
      secure.once('data', (first: Buffer) => {
        if (first.length === 16) cancelRequests++;
      });
      secure.pipe(server).pipe(secure);
      socket.on('close', () => server.destroy());
    });
  });
}

describe('PostgreSQL over TLS', () => {
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const authority = await createTestAuthority();
    ca = authority.certificate;
    const { host, port } = database.connection;
    front = startTlsFront(
      await authority.issue('db.test'),
      host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port },
    ).listen(0, '127.0.0.1');
    await once(front, 'listening');
    const { port: frontPort } = front.address() as AddressInfo;
    options = {
      dial: async (_target, { signal }) => {
        const socket = connect({ host: '127.0.0.1', port: frontPort, signal });
        await once(socket, 'connect');
        return socket;
      },
      signal: new AbortController().signal,
      timeoutMs: 110_000,
      maxRows: 1_000_000,
      maxBytes: 100_000_000,
      maxCellBytes: 1_000_000,
    };
  });

  afterAll(async () => {
    front.close();
    await database.drop();
  });

  const execute = (sql: string, change: object, limits: Partial<ExecuteOptions> = {}) =>
    connector.execute(
      { ...database.connection, host: 'db.test', tlsMode: 'VerifyFull' as const, ...change },
      { sql },
      { ...options, ...limits },
    );

  it('accepts a certificate of the configured authority for the configured name', async () => {
    const result = await execute('select 1', { caCertificate: ca });
    expect(await rowsOf(result)).toEqual([[1]]);
  });

  it('refuses an unknown authority and a certificate for another name', async () => {
    expect(await errorOf(execute('select 1', {}))).toMatchObject({ code: 'tls-failed' });
    const other = { caCertificate: ca, host: 'other.test' };
    const error = await errorOf(execute('select 1', other));
    expect(error).toMatchObject({ code: 'tls-failed' });
    expect(error.message).toContain('other.test');
    expect(await errorOf(execute('select 1', { ...other, host: '10.0.0.1' }))).toMatchObject({
      code: 'tls-failed',
    });
  });

  it('omits the checks that the TLS mode does not include', async () => {
    const anyName = { tlsMode: 'VerifyCa', caCertificate: ca, host: 'other.test' };
    expect(await rowsOf(await execute('select 1', anyName))).toEqual([[1]]);
    expect(await errorOf(execute('select 1', { tlsMode: 'VerifyCa' }))).toMatchObject({ code: 'tls-failed' });
    expect(await rowsOf(await execute('select 1', { tlsMode: 'Require' }))).toEqual([[1]]);
  });

  it('limits values and cancels statements over the encrypted connection', async () => {
    const change = { caCertificate: ca };
    expect(await errorOf(execute("select repeat('x', 50000000)", change).then(rowsOf))).toMatchObject({
      code: 'value-too-large',
    });
    cancelRequests = 0;
    const cancelling = new AbortController();
    const sql = "select 'cancelled over TLS', pg_sleep(600)";
    const running = errorOf(execute(sql, change, { signal: cancelling.signal }));
    // A cancel has an effect only after the statement has started.
    const admin = new pg.Client(database.adminConnection);
    await admin.connect();
    const active = async () =>
      (
        await admin.query(
          "select from pg_stat_activity where state = 'active' and query like '%cancelled over TLS%' and pid <> pg_backend_pid()",
        )
      ).rowCount;
    await expect.poll(active).toBe(1);
    await admin.end();
    cancelling.abort();
    expect(await running).toMatchObject({ code: 'cancelled' });
    await expect.poll(() => cancelRequests).toBe(1);
    expect(await errorOf(execute('select pg_sleep(20)', change, { timeoutMs: 300 }))).toMatchObject({
      code: 'timed-out',
    });
  });
});
