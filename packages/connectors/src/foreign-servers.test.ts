import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClickhouseConnector } from './clickhouse/index.ts';
import { createMysqlConnector } from './mysql/index.ts';
import { createPostgresqlConnector } from './postgresql/index.ts';
import { createSqlserverConnector } from './sqlserver/index.ts';

const greeting = (text: string): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(text);
  });
const servers = {
  web: createHttpServer((_request, response) => response.end('hello')),
  shell: greeting('SSH-2.0-OpenSSH_9.2p1\r\n'),
  mail: greeting('220 mail.example.com ESMTP\r\n'),
  // Greetings for clients of the other protocol: a greeting of MySQL, and an error of PostgreSQL.
  mysql: greeting('J\0\0\0\n8.4.3\0'),
  postgresql: greeting('E\0\0\0\x20SFATAL\0C08P01\0Mno such protocol\0\0'),
};
beforeAll(() =>
  Promise.all(
    Object.values(servers).map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }),
  ),
);
afterAll(() => {
  for (const server of Object.values(servers)) server.close();
});

const options = {
  dial: async ({ host, port }: { host: string; port: number }) => {
    const socket = connect({ host, port });
    await once(socket, 'connect');
    return socket;
  },
  signal: new AbortController().signal,
  timeoutMs: 10_000,
};
const connectors = {
  PostgreSQL: createPostgresqlConnector(),
  MySQL: createMysqlConnector(),
  ClickHouse: createClickhouseConnector(),
  'Microsoft SQL': createSqlserverConnector(),
};

test.each([
  ['PostgreSQL', 'web', 'Disable'],
  ['PostgreSQL', 'web', 'Require'],
  ['PostgreSQL', 'shell', 'Disable'],
  ['PostgreSQL', 'shell', 'Require'],
  ['PostgreSQL', 'mail', 'Disable'],
  ['PostgreSQL', 'mysql', 'Disable'],
  ['PostgreSQL', 'mysql', 'Require'],
  ['MySQL', 'shell', 'Disable'],
  ['MySQL', 'shell', 'Require'],
  ['MySQL', 'mail', 'Disable'],
  ['MySQL', 'postgresql', 'Disable'],
  ['Microsoft SQL', 'web', 'Disable'],
  ['Microsoft SQL', 'web', 'Require'],
  ['Microsoft SQL', 'shell', 'VerifyFull'],
  ['Microsoft SQL', 'mysql', 'Disable'],
  ['Microsoft SQL', 'postgresql', 'Disable'],
  ['ClickHouse', 'web', 'Disable'],
  ['ClickHouse', 'shell', 'Disable'],
  ['ClickHouse', 'mail', 'Disable'],
  ['ClickHouse', 'mysql', 'Disable'],
  ['ClickHouse', 'postgresql', 'Disable'],
] as const)(
  'reports a %s source at a %s server as a wrong server (TLS mode %s)',
  async (protocol, name, tlsMode) => {
    const { port } = servers[name].address() as AddressInfo;
    const connection = { host: '127.0.0.1', port, database: 'shop', user: 'me', password: 'no', tlsMode };
    const test = await connectors[protocol].testConnection(connection, options);
    expect(test).toMatchObject({
      isOk: false,
      error: {
        code: 'connection-failed',
        message: `What answers at 127.0.0.1:${port} is no ${protocol} server. Check host and port.`,
      },
    });
  },
);
