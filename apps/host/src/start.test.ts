import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createSvc, loadConfig } from '@svc/server';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHttpServer } from './http-server.ts';
import { listenersOf } from './listening/ports.ts';
import { startHost } from './start.ts';

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Returns a port of this machine on which another process listens. */
async function takenPort(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const schemasOf = async ({ connection }: TestDatabase): Promise<number> => {
  const client = new pg.Client(connection);
  await client.connect();
  const { rowCount } = await client.query(`select from pg_namespace where nspname in ('svc', 'svc_jobs')`);
  await client.end();
  return rowCount ?? 0;
};

test.each([
  ['Svc:Host:Port', 'Svc__Host__Port', 'Svc__Telemetry__Metrics__Port'],
  ['Svc:Telemetry:Metrics:Port', 'Svc__Telemetry__Metrics__Port', 'Svc__Host__Port'],
])(
  'a start whose port is taken ends before it accesses the database, and names %s',
  async (key, taken, free) => {
    const database = await emptyDatabase();
    const { host, port, user, password, database: name } = database.connection;
    const said: string[] = [];
    const number = await takenPort();
    const starting = startHost({
      env: {
        Svc__Database__ConnectionString: `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}`,
        Svc__EncryptionKey: encryptionKey,
        Svc__Logging__Level: 'silent',
        Svc__Telemetry__Metrics__Enabled: 'true',
        [taken]: String(number),
        [free]: '0',
      },
      withDemo: false,
      say: (line) => void said.push(line),
    });
    await expect(starting).rejects.toThrow(
      `Port ${number} of 127.0.0.1 is taken. Stop what uses it, or choose another port with ${key} (now ${number}).`,
    );
    expect(await schemasOf(database)).toBe(0);
  },
);

/** Starts a server around a service with a separate database. */
async function startServer() {
  const { connection } = await emptyDatabase();
  const config = loadConfig({
    values: { 'Svc:EncryptionKey': encryptionKey, 'Svc:Logging:Level': 'silent' },
  }).config;
  const svc = await createSvc({ config, database: connection });
  onTestFinished(() => svc.close());
  const { service } = listenersOf(config);
  const server = await startHttpServer(svc, {
    listener: { ...service, port: 0 },
    basePath: '',
    isWeb: true,
  });
  return { server, port: Number(new URL(server.origin).port) };
}

const isRefused = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
};

/** Opens a connection that sends requests one by one. */
async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += String(chunk);
  });
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return {
    /** Sends one request. @returns the response after its body has arrived. */
    ask: async (): Promise<string> => {
      received = '';
      socket.write('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
      while (!received.includes('{"status":"ok"}')) await once(socket, 'data');
      return received;
    },
  };
}

test('a stop answers one more request on each connection, opened before the stop or during it, and resets none', async () => {
  const { server, port } = await startServer();
  const early = await openConnection(port);
  expect(await early.ask()).toMatch(/connection: keep-alive/i);
  server.announceStop();
  const closed = server.close({ drains: true });
  const late = await openConnection(port);
  expect(await late.ask()).toMatch(/connection: keep-alive/i);
  await expect.poll(() => isRefused(port), { timeout: 60_000, interval: 20 }).toBe(true);
  for (const connection of [early, late]) expect(await connection.ask()).toMatch(/connection: close/i);
  await closed;
}, 120_000);

test('a server that has never served a request closes without waiting for open connections', async () => {
  const { server, port } = await startServer();
  const kept = connect(port, '127.0.0.1');
  await once(kept, 'connect');
  kept.write('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n');
  let received = '';
  kept.on('data', (chunk) => {
    received += chunk.toString();
  });
  const ended = new Promise((resolve) => kept.on('error', () => undefined).once('close', resolve));
  // The timer at the end of the drain time never fires.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await server.close({ drains: false });
  await ended;
  // At the time limit for headers the server would send 408.
  expect(received).toBe('');
});
