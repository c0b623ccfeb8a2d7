import os from 'node:os';
import path from 'node:path';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { findPostgresPrograms } from '@svc/testkit/database/postgres-programs.ts';
import { type RunFixture, type RunFixtureOptions, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import pg from 'pg';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';

async function statement(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Starts a separate PostgreSQL server for databases of a trial: the one of `SVC_TEST_POSTGRES_BIN`, or the one from npm. */
export async function withOwnDatabases<T>(
  name: string,
  dataDirectory: string | undefined,
  work: (makeDatabase: (purpose: string) => Promise<TestDatabase>) => Promise<T>,
): Promise<T> {
  const binaries = findPostgresPrograms();
  const cluster = await startBuiltInCluster({
    dataDirectory: dataDirectory ?? path.join(os.tmpdir(), `svc-trial-${name}-${binaries?.version ?? 'npm'}`),
    ...(binaries && { binaries }),
    listensOnLoopback: true,
  });
  const { port, password } = cluster.admin();
  const makeDatabase = async (purpose: string): Promise<TestDatabase> => {
    const database = `${purpose}_${Date.now()}`;
    const adminConnection = { host: '127.0.0.1', port, user: 'postgres', password, database };
    // The owner is an ordinary role, because a data source refuses the login of a superuser.
    const connection = { ...adminConnection, user: database };
    const drop = async () => {
      await statement(cluster.admin(), `drop database if exists ${database} with (force)`);
      await statement(cluster.admin(), `drop role if exists ${database}`);
    };
    await statement(cluster.admin(), `create role ${database} login password '${password}'`);
    await statement(cluster.admin(), `create database ${database} owner ${database}`);
    return { connection, adminConnection, drop };
  };
  try {
    return await work(makeDatabase);
  } finally {
    await cluster.stop();
  }
}

/**
 * Starts a service that runs no jobs, with databases on a separate PostgreSQL server, durable as in production. The
 * server is the one of `SVC_TEST_POSTGRES_BIN`, or the one from npm.
 */
export const withRunFixture = <T>(
  name: string,
  { dataDirectory, ...options }: RunFixtureOptions & { readonly dataDirectory?: string },
  work: (fixture: RunFixture) => Promise<T>,
): Promise<T> =>
  withOwnDatabases(name, dataDirectory, async (makeDatabase) => {
    const [own, shop] = [await makeDatabase('own'), await makeDatabase('shop')];
    const fixture = await startRunFixture({ ...options, on: { testDatabase: own }, shop });
    try {
      return await work(fixture);
    } finally {
      await fixture.close();
      await own.drop();
    }
  });
