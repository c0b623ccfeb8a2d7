import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Connection of the tests' PostgreSQL server, handed to every test file. */
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

/** A database of a test file's own. */
export type TestDatabase = {
  /** Connection of the role that owns the database and is no superuser. */
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** Connection of the superuser to the same database; to look at or to break things. */
  readonly adminConnection: { host: string; port: number; user: string; password: string; database: string };
  /** Begins to drop the database and does not wait for it; the end of the run drops what is left. */
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

/** Connections for creating and dropping: both take a superuser, who may end a vacuum that is at work in one. */
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
  // Takes a third of the processor time of a copy through the write-ahead log.
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
 * A pool that was ended may have connections that are only about to close, which must not be told that they were
 * ended by somebody else: the server waits up to five seconds for them. Then whoever is still there is put out.
 */
async function drop(name: string): Promise<void> {
  try {
    await administrate(`drop database if exists ${name}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== objectInUse) throw error;
    await administrate(`drop database if exists ${name} with (force)`);
  }
}

/** The next clone of each template, made while the tests do something else. */
const ahead = new Map<string, Promise<TestDatabase>>();

async function take(template: string): Promise<TestDatabase> {
  const ready = ahead.get(template) ?? clone(template);
  const next = ready.then(() => clone(template));
  // Whoever takes it next is told; nobody may.
  next.catch(() => undefined);
  ahead.set(template, next);
  try {
    return await ready;
  } catch (error) {
    ahead.delete(template);
    throw error;
  }
}

/** An empty database. */
export const createEmptyDatabase = (): Promise<TestDatabase> => take('template0');

const prepared = new Map<string, Promise<void>>();

/** Makes a template once for all runs with the same key. */
async function prepareTemplate(
  template: string,
  prepare: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(connections('postgres').connection);
  await client.connect();
  try {
    // Ends with the connection.
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

/** Databases made from a set-up function are cloned from one template a run; the next clone is made ahead. */
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
