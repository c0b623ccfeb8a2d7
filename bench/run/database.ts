import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';

/** A PostgreSQL server of one benchmark, as the service runs it: durable. */
export type BenchDatabase = {
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** The same server on a loopback port, as a data source is reached. */
  readonly loopback: { host: string; port: number; user: string; password: string };
  /** Runs statements outside of what is measured. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the built-in server on a temporary folder, with two empty databases whose owner is no superuser:
 * `bench` for the service, `shop` to be watched.
 */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-bench-'));
  // In a folder that is closed to others the cluster would be kept elsewhere, and left behind.
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
  // The pool's end does not wait until its connections are closed: the server may end one of them first.
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
