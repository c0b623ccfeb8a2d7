import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { encryptionKey, setupToken } from '@svc/testkit/service/service.ts';
import pg from 'pg';

/** The standalone host, as a separate process with its own database. */
export type SampleHost = {
  readonly origin: string;
  /** Returns the output of the process so far, including its log. */
  readonly output: () => string;
  /** Executes a statement on its database as the superuser, to cause faults that no request can cause. */
  readonly sql: (statement: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const cli = path.join(fileURLToPath(new URL('../../../../', import.meta.url)), 'apps/host/src/cli.ts');
const startMaxMs = 60_000;

/** Starts the sample host with open setup. `env`: settings in addition to its database and its port. */
export async function startSampleHost(env: Readonly<Record<string, string>> = {}): Promise<SampleHost> {
  const testDatabase = await createMigratedDatabase();
  const { host, port, user, password, database } = testDatabase.connection;
  const child = spawn(process.execPath, ['--conditions=svc-source', cli, 'start', '--no-demo'], {
    env: {
      Svc__Database__ConnectionString: `postgres://${user}:${password}@${host}:${port}/${database}`,
      Svc__EncryptionKey: encryptionKey,
      Svc__UserManagement__SetupToken: setupToken,
      Svc__Host__Port: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const sql = async (statement: string) => {
    const client = new pg.Client(testDatabase.adminConnection);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const close = async () => {
    await ended(child);
    await testDatabase.drop();
  };
  try {
    const origin = await readyAt(child, () => output);
    return { origin, output: () => output, sql, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits until the process prints the origin on which it listens. Throws after 60 s or if the process exits. */
async function readyAt(child: ChildProcess, output: () => string): Promise<string> {
  const deadlineAt = performance.now() + startMaxMs;
  while (performance.now() < deadlineAt && child.exitCode === null) {
    const [, origin] = /Ready: (http:\/\/[^/\s]+)/.exec(output()) ?? [];
    if (origin !== undefined) return origin;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The sample host did not start: ${output()}`);
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
