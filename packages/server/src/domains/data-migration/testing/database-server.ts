import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostgresPrograms } from '@svc/testkit/database/postgres-programs.ts';
import pg from 'pg';
import { startBuiltInCluster } from '../../../platform/db/built-in/index.ts';
import { runningPid } from '../../../platform/db/built-in/server-process.ts';

/** A PostgreSQL server of a trial's own, which may be killed. */
export type DatabaseServer = {
  /** Settings as a data source takes them: of a role that is no superuser. */
  readonly connection: Record<string, unknown>;
  /** Rows of a statement as texts, past the service. */
  readonly texts: (sql: string) => Promise<string[]>;
  /** Ends the server as a crash does, and resolves when it is back. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const readyMaxMs = 120_000;
const pollMs = 100;

/** Starts one in a folder of its own, durable as in production. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-killed-'));
  // Closed to others, the cluster would be kept elsewhere.
  chmodSync(folder, 0o711);
  const binaries = findPostgresPrograms();
  const cluster = await startBuiltInCluster({
    dataDirectory: folder,
    listensOnLoopback: true,
    ...(binaries && { binaries }),
  });
  const { password } = cluster.admin();
  const login = { host: '127.0.0.1', port: cluster.loopbackPort ?? 0, user: 'copies', password };

  async function run(connection: pg.ClientConfig, sql: string): Promise<string[]> {
    const client = new pg.Client(connection);
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query({ text: sql, rowMode: 'array' });
      return (rows ?? []).map((row: unknown[]) => row.join('|'));
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function answering(): Promise<void> {
    const endsAt = Date.now() + readyMaxMs;
    for (;;) {
      try {
        await run({ ...login, database: 'copies' }, 'select 1');
        return;
      } catch (error) {
        if (Date.now() > endsAt) throw error;
        await delay(pollMs);
      }
    }
  }

  await run(cluster.admin(), `create role copies login password '${password}'`);
  await run(cluster.admin(), 'create database copies owner copies template template0');
  return {
    connection: { ...login, database: 'copies', tlsMode: 'Disable' },
    texts: (sql) => run({ ...login, database: 'copies' }, sql),
    kill: async () => {
      const pid = runningPid(cluster.location);
      if (pid === undefined) throw new Error('The server to be killed does not run.');
      process.kill(pid, 'SIGKILL');
      // Whoever looks after it starts another; until then nobody answers.
      while (runningPid(cluster.location) === pid) await delay(pollMs);
      await answering();
    },
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
