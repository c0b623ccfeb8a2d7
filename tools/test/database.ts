import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate, readMigrations } from '../../packages/server/src/platform/db/migrate.ts';
// Declares what `inject` hands out, for programs that hold no more of the tests' tools than this file.
import type {} from './global-setup.ts';

/** A database of a test file's own. */
export type TestDatabase = {
  /** Connection of the role that owns the database and is no superuser. */
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** Connection of the superuser to the same database; to look at or to break things. */
  readonly adminConnection: { host: string; port: number; user: string; password: string; database: string };
  readonly drop: () => Promise<void>;
};

function connections(database: string) {
  const server = inject('postgres');
  const base = { host: server.host, port: server.port, database };
  return {
    connection: { ...base, user: server.user, password: server.password },
    adminConnection: { ...base, user: 'postgres', password: server.adminPassword },
  };
}

const asOwner = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected(connections('postgres').connection, work);

async function connected<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function create(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asOwner((client) => client.query(`create database ${name} template ${template}`));
  return {
    ...connections(name),
    // As the superuser: the owner may not end a vacuum that happens to be at work in it.
    drop: () =>
      connected(connections('postgres').adminConnection, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** An empty database. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template0');

/** Databases made from a set-up function are cloned from one template a run, in some 60 ms. */
export async function createDatabaseFrom(
  templateKey: string,
  prepare: (client: pg.Client) => Promise<unknown>,
): Promise<TestDatabase> {
  const template = `template_${createHash('sha256').update(templateKey).digest('hex').slice(0, 16)}`;
  await asOwner(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount) return;
    const unfinished = `${template}_new`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} template template0`);
    const inside = new pg.Client(connections(unfinished).connection);
    await inside.connect();
    await prepare(inside).finally(() => inside.end());
    await client.query(`alter database ${unfinished} rename to ${template}`);
  });
  return create(template);
}

/** A database with the service's schema, migrated. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  const migrations = readMigrations();
  return createDatabaseFrom(`migrations ${migrations.map((m) => m.checksum).join(' ')}`, (client) =>
    migrate(client, migrations),
  );
}
