import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';
// Imported by path: the global setup is loaded without the condition that resolves to our sources.
import { fastFolder } from '../../packages/testkit/src/database/fast-folder.ts';
import { findPostgresPrograms } from '../../packages/testkit/src/database/postgres-programs.ts';

/**
 * Starts one PostgreSQL server for all test files of a run. Its folder remains between runs. Durability is off, because
 * no database outlives a run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const checkout = createHash('sha256')
    .update(path.resolve(import.meta.dirname, '../..'))
    .digest('hex')
    .slice(0, 10);
  const binaries = findPostgresPrograms();
  const cluster = await startBuiltInCluster({
    dataDirectory: path.join(fastFolder(), `svc-test-${checkout}${binaries ? `-${binaries.version}` : ''}`),
    ...(binaries && { binaries }),
    // Data sources are reached over TCP only, and tests use databases of this server as sources.
    listensOnLoopback: true,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      // Databases of tests exist for seconds, so a vacuum has no use.
      autovacuum: 'off',
      // Tests open thousands of sessions, and the password protects nothing. Versions before 16 have no such setting.
      ...(binaries === undefined && { scram_iterations: '1' }),
    },
  });
  const admin = cluster.admin();
  const client = new pg.Client(admin);
  await client.connect();
  await client.query('select pg_advisory_lock(1)');
  await client.query(
    `do $$ begin if not exists (select from pg_roles where rolname = 'svc_test') then create role svc_test login createdb password '${admin.password}'; end if; end $$`,
  );
  // The first hash of the password was computed before `scram_iterations` applied.
  await client.query(`alter role postgres password '${admin.password}'`);
  // A run takes this lock before it creates databases. So all test databases of a freshly started server are leftovers.
  if (!cluster.isAdopted) await dropDatabases(client, 'test');
  await client.query('select pg_advisory_unlock(1)');
  await client.end();
  const run = randomBytes(4).toString('hex');
  project.provide('postgres', {
    host: '127.0.0.1',
    port: admin.port,
    user: 'svc_test',
    password: admin.password,
    adminPassword: admin.password,
    run,
  });
  return async () => {
    const last = new pg.Client(admin);
    try {
      await last.connect();
    } catch (error) {
      // The process that started the server may have stopped it. The next start drops the databases of this run.
      if (cluster.isAdopted) return;
      throw error;
    }
    await dropDatabases(last, `test_${run}`);
    await last.end();
    if (!cluster.isAdopted) await cluster.stop();
  };
}

/** Drops the databases whose names start with the prefix and an underscore. */
async function dropDatabases(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where starts_with(datname, $1 || '_')`,
    [prefix],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
}
