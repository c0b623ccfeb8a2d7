import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram, hasPrograms } from '../../../../tools/test/programs.ts';
import type { Dial } from '../../../connectors/src/port.ts';

/** MariaDB server of one test file, on a private socket. The user `root` has no password. */
export type TestMariaDb = {
  /** Host name that `dial` connects to this server. */
  readonly host: string;
  readonly dial: Dial;
  readonly socketPath: string;
  readonly stop: () => Promise<void>;
};

const startTries = 200;
const testHost = 'mariadb.test';

/** Returns true if MariaDB is installed. Otherwise prints the name of the package. */
export const hasMariaDb = (): boolean =>
  hasPrograms({
    tests: 'MariaDB tests',
    programs: ['mariadbd', 'mariadb-install-db'],
    debianPackage: 'mariadb-server',
  });

/** Creates a folder, starts the server on a socket in it, and waits until the server accepts connections. */
export async function startMariaDb(): Promise<TestMariaDb> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-mariadb-'));
  const user = `--user=${os.userInfo().username}`;
  // Two concurrent installations in one temporary folder use each other's tables.
  const made = spawnSync('mariadb-install-db', [
    '--no-defaults',
    user,
    `--datadir=${folder}/data`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    `--tmpdir=${folder}`,
  ]);
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stderr}`);
  const socketPath = path.join(folder, 'socket');
  const server = spawn(
    findProgram('mariadbd') ?? 'mariadbd',
    [
      '--no-defaults',
      user,
      `--datadir=${folder}/data`,
      `--socket=${socketPath}`,
      `--pid-file=${folder}/pid`,
      '--skip-networking',
      `--tmpdir=${folder}`,
      '--innodb-buffer-pool-size=32M',
      '--innodb-flush-log-at-trx-commit=0',
      '--max-allowed-packet=512M',
      `--log-error=${folder}/log`,
    ],
    { stdio: 'ignore' },
  );
  const dial: Dial = async ({ host, port }, { signal }) => {
    const socket = connect({ ...(host === testHost ? { path: socketPath } : { host, port }), signal });
    await once(socket, 'connect');
    return socket;
  };
  const stop = async () => {
    const closed = server.exitCode === null ? once(server, 'close') : Promise.resolve();
    server.kill('SIGKILL');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers(dial);
  } catch (error) {
    await stop();
    throw error;
  }
  return { host: testHost, dial, socketPath, stop };
}

async function untilItAnswers(dial: Dial): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  for (let left = startTries; left > 0; left--) {
    try {
      const socket = await dial({ host: testHost, port: 3306 }, { signal });
      socket.destroy();
      return;
    } catch {
      await delay(50, undefined, { signal });
    }
  }
  throw new Error('The MariaDB server does not answer.');
}
