import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';

/** A PostgreSQL server of one benchmark, durable as in the service. */
export type BenchDatabase = {
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** The same server on a loopback port, for use as a data source. */
  readonly loopback: { host: string; port: number; user: string; password: string };
  /** Runs statements outside the measured time. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the built-in server in a temporary folder, with two empty databases: `bench` for the service, and `shop` as
 * the watched one. Their owner is not a superuser.
 */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-bench-'));
  // In a folder that other users cannot read, the cluster would be created elsewhere and not be removed.
  chmodSync(folder, 0o711);
  const cluster = await startBuiltInCluster({ dataDirectory: folder, listensOnLoopback: true });
  const { password } = cluster.admin();
  const admin = new pg.Client(cluster.admin());
  await admin.connect();
  await admin.query(`create role bench login password '${password}'`);
  await admin.query('create database bench owner bench template template0');
  await admin.query('create database shop owner bench template template0');
  await admin.end();
  const connection = { ...cluster.admin('bench'), user: 'bench' };
  const pool = new pg.Pool({ ...connection, max: 2 });
  // The pool's end does not wait for its connections to close, so the server may close one first.
  pool.on('error', () => undefined);
  return {
    connection,
    loopback: { host: '127.0.0.1', port: cluster.loopbackPort ?? 0, user: 'bench', password },
    sql: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    stop: async () => {
      await pool.end();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
