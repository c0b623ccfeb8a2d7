import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  createTestAuthority,
  type TestAuthority,
  type TestCertificate,
} from '@svc/testkit/service/certificates.ts';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { examineDatabase } from './examine.ts';

let authority: TestAuthority;
beforeAll(async () => {
  authority = await createTestAuthority();
});

/** Starts a server that switches to TLS as PostgreSQL does, with this certificate. */
async function startTlsServer(certificate: TestCertificate): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The TLS request is eight bytes; `S` accepts it.
    socket.once('data', () => {
      socket.write('S', () =>
        new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => undefined),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function examine(certificate: TestCertificate, trusts = authority.certificate) {
  const port = await startTlsServer(certificate);
  const connection = { host: '127.0.0.1', port, user: 'svc', password: 'planted', database: 'svc' };
  const { findings } = await examineDatabase({
    connection: { ...connection, ssl: { ca: trusts } },
    keys: [],
  });
  expect(findings).toHaveLength(1);
  expect(JSON.stringify(findings)).not.toContain('planted');
  return findings[0];
}

test('a database whose certificate has expired, is untrusted or has another name is reported', async () => {
  expect(await examine(await authority.issueExpired('127.0.0.1'))).toMatchObject({
    subject: 'PostgreSQL',
    state: 'Fault',
    text: 'The certificate of the server is not trusted: certificate has expired.',
    remedy: expect.stringMatching(/renew.*clock of this machine/s),
  });
  expect(
    await examine(await authority.issue('127.0.0.1'), (await createTestAuthority()).certificate),
  ).toMatchObject({
    text: expect.stringMatching(/^The certificate of the server is not trusted: .*certificate/),
    remedy: expect.stringContaining('sslrootcert of Svc:Database:ConnectionString'),
  });
  expect(await examine(await authority.issue('db.example.org'))).toMatchObject({
    text: expect.stringContaining('The certificate of the server is not trusted: Hostname/IP does not match'),
  });
});

test('a server that does not listen is reported with a remedy', async () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'svc', password: 'x', database: 'svc' };
  expect((await examineDatabase({ connection, keys: [] })).findings).toMatchObject([
    {
      state: 'Fault',
      text: expect.stringContaining('ECONNREFUSED'),
      remedy: expect.stringContaining('pg_hba'),
    },
  ]);
});
