import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostgresPrograms } from '@svc/testkit/database/postgres-programs.ts';
import pg from 'pg';
import { startBuiltInCluster } from '../../../platform/db/built-in/index.ts';
import { runningPid } from '../../../platform/db/built-in/server-process.ts';

/** A PostgreSQL server of one trial, which may be killed. */
export type DatabaseServer = {
  /** Connection settings of a data source, for a role without superuser rights. */
  readonly connection: Record<string, unknown>;
  /** Executes a statement without the service and returns the rows as texts. */
  readonly texts: (sql: string) => Promise<string[]>;
  /** Crashes the server and resolves when it accepts connections again. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const readyMaxMs = 120_000;
const pollMs = 100;

/** Starts a server in its own folder, with durable writes as in production. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-killed-'));
  // Without access for others, the cluster would be created in another folder.
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
      // The supervisor starts a new server process; until then, connections fail.
      while (runningPid(cluster.location) === pid) await delay(pollMs);
      await answering();
    },
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
