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

/** Databases on a PostgreSQL server of a trial's own: the one that `SVC_TEST_POSTGRES_BIN` names, or the one from npm. */
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
    // Its owner is an ordinary role: a superuser is refused as the login of a data source.
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
 * A service that runs no jobs itself, with databases on a PostgreSQL server of its own, durable as in production:
 * the one that `SVC_TEST_POSTGRES_BIN` names, or the one from npm.
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
