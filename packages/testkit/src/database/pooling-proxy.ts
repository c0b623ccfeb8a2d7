import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram, hasPrograms } from '../../../../tools/test/programs.ts';
import type { TestDatabase } from './database.ts';

/** PgBouncer of one test, connected to the tests' PostgreSQL. */
export type PoolingProxy = {
  /** Connection to the database through the proxy. */
  readonly connection: TestDatabase['connection'];
  readonly stop: () => Promise<void>;
};

/** PgBouncer refuses to run as root. */
const unprivileged = { uid: 65534, gid: 65534 };
const startTries = 200;

/** Returns true if PgBouncer is installed. Otherwise prints the name of the package. */
export const hasPgBouncer = (): boolean =>
  hasPrograms({ tests: 'PgBouncer tests', programs: ['pgbouncer'], debianPackage: 'pgbouncer' });

export type PoolingOptions = {
  readonly poolMode: 'session' | 'transaction';
  /** Size of the pool of server sessions. Default 10. */
  readonly sessionsMax?: number;
  /** Startup parameters that PgBouncer ignores instead of refusing the connection. Default: none. */
  readonly ignores?: readonly string[];
};

/** Starts the proxy and waits until it accepts connections. */
export async function startPgBouncer(
  { connection }: Pick<TestDatabase, 'connection'>,
  { poolMode, sessionsMax = 10, ignores = [] }: PoolingOptions,
): Promise<PoolingProxy> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-pgbouncer-'));
  const port = await freePort();
  const write = (name: string, lines: readonly string[]): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  const users = write('users.txt', [`"${connection.user}" "${connection.password}"`]);
  const config = write('pgbouncer.ini', [
    '[databases]',
    `* = host=${connection.host} port=${connection.port}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    `pool_mode = ${poolMode}`,
    `default_pool_size = ${sessionsMax}`,
    ...(ignores.length > 0 ? [`ignore_startup_parameters = ${ignores.join(', ')}`] : []),
  ]);
  const user = process.getuid?.() === 0 ? unprivileged : undefined;
  if (user) for (const file of [folder, users, config]) chownSync(file, user.uid, user.gid);
  const proxy = spawn(findProgram('pgbouncer') ?? 'pgbouncer', ['--quiet', config], {
    ...user,
    stdio: 'ignore',
  });
  const ended = once(proxy, 'exit');
  const stop = async () => {
    proxy.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItListens(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection: { ...connection, host: '127.0.0.1', port }, stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  server.close();
  await once(server, 'close');
  return address.port;
}

async function untilItListens(port: number): Promise<void> {
  for (let left = startTries; left > 0; left -= 1) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await delay(50);
    } finally {
      socket.destroy();
    }
  }
  throw new Error('PgBouncer does not answer.');
}
