import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Connection to the tests' PostgreSQL server, provided to every test file. */
export type TestPostgres = {
  host: string;
  port: number;
  user: string;
  password: string;
  adminPassword: string;
  /** Part of the name of every database of this run. */
  run: string;
};

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres;
  }
}

/** Database of one test file. */
export type TestDatabase = {
  /** Connection as the owner of the database, who is no superuser. */
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** Connection to the same database as the superuser, for inspection and fault injection. */
  readonly adminConnection: { host: string; port: number; user: string; password: string; database: string };
  /** Starts to drop the database and does not wait. The end of the run drops all remaining databases. */
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

/** Connections for `create database` and `drop database`. Only a superuser may end a vacuum in the database. */
const administrationConnectionsMax = 4;
let administration: pg.Pool | undefined;
function administrate(statement: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
  if (administration === undefined) {
    const { adminConnection } = connections('postgres');
    administration = new pg.Pool({
      ...adminConnection,
      max: administrationConnectionsMax,
      allowExitOnIdle: true,
    });
    administration.on('error', (error) => process.stderr.write(`The tests' PostgreSQL: ${error.message}\n`));
  }
  return administration.query(statement, [...values]);
}

async function clone(template: string): Promise<TestDatabase> {
  const { user, run } = inject('postgres');
  const name = `test_${run}_${randomBytes(6).toString('hex')}`;
  // `file_copy` takes a third of the processor time of a copy through the write-ahead log.
  await administrate(`create database ${name} template ${template} owner ${user} strategy file_copy`);
  return {
    ...connections(name),
    drop: async () => {
      drop(name).catch((error: Error) =>
        process.stderr.write(`The database ${name} could not be dropped: ${error.message}\n`),
      );
    },
  };
}

const objectInUse = '55006';

/**
 * Drops a database. The server first waits up to five seconds for connections that are about to close: a forced drop
 * would report an error to their pool. The second attempt ends all remaining connections.
 */
async function drop(name: string): Promise<void> {
  try {
    await administrate(`drop database if exists ${name}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== objectInUse) throw error;
    await administrate(`drop database if exists ${name} with (force)`);
  }
}

/** Next clone of each template, created in the background. */
const ahead = new Map<string, Promise<TestDatabase>>();

async function take(template: string): Promise<TestDatabase> {
  const ready = ahead.get(template) ?? clone(template);
  const next = ready.then(() => clone(template));
  // The next `take` reports the failure. Without a next call, the rejection must not be unhandled.
  next.catch(() => undefined);
  ahead.set(template, next);
  try {
    return await ready;
  } catch (error) {
    ahead.delete(template);
    throw error;
  }
}

export const createEmptyDatabase = (): Promise<TestDatabase> => take('template0');

const prepared = new Map<string, Promise<void>>();

/** Creates a template unless it exists. An advisory lock serializes concurrent callers. */
async function prepareTemplate(
  template: string,
  prepare: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(connections('postgres').connection);
  await client.connect();
  try {
    // The end of the connection releases the lock.
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
  } finally {
    await client.end();
  }
}

/** Clones a database from a template that `prepare` fills once per key. Creates the next clone in advance. */
export async function createDatabaseFrom(
  templateKey: string,
  prepare: (client: pg.Client) => Promise<unknown>,
): Promise<TestDatabase> {
  const template = `template_${createHash('sha256').update(templateKey).digest('hex').slice(0, 16)}`;
  const preparing = prepared.get(template) ?? prepareTemplate(template, prepare);
  prepared.set(template, preparing);
  await preparing;
  return take(template);
}
