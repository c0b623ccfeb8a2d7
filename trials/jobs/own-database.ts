import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrateJobs } from '../../packages/jobs/src/db/migrate.ts';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';

/** Creates a database with the job schema on a separate built-in server, durable as in production. */
export async function withJobsDatabase<T>(
  name: string,
  work: (connection: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  const cluster = await startBuiltInCluster({ dataDirectory: path.join(os.tmpdir(), `svc-${name}`) });
  try {
    const admin = cluster.admin();
    const database = `${name.replaceAll('-', '_')}_${Date.now()}`;
    const client = new pg.Client(admin);
    await client.connect();
    await client.query(`create database ${database}`);
    await client.end();
    const connection = { ...admin, database };
    const inside = new pg.Client(connection);
    await inside.connect();
    await migrateJobs(inside);
    await inside.end();
    return await work(connection);
  } finally {
    await cluster.stop();
  }
}
