import pg from 'pg';
import type { HttpClient } from '../client/http-client.ts';
import { make } from '../client/make.ts';
import { createEmptyDatabase, type TestDatabase } from '../database/database.ts';

/** A database of somebody else that the service watches. */
export type WatchedSource = {
  /** Connection settings as a data source takes them. */
  readonly connection: Record<string, unknown>;
  /** Connections of the database's owner, past the service. */
  readonly pool: pg.Pool;
  /** A statement of the database's owner. */
  readonly sql: (statement: string, values?: readonly unknown[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Makes a PostgreSQL database to watch: an empty one of the tests' server, unless another is given. */
export async function startSource(given?: TestDatabase): Promise<WatchedSource> {
  const database = given ?? (await createEmptyDatabase());
  const pool = new pg.Pool({ ...database.connection, max: 2 });
  return {
    connection: { ...database.connection, tlsMode: 'Disable' },
    pool,
    sql: async (statement, values = []) => void (await pool.query(statement, [...values])),
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

let count = 0;

/** Adds a data source and links it to a project. */
export async function addDataSource(
  client: HttpClient,
  projectId: number,
  connection: Record<string, unknown>,
  name = `Source ${count++}`,
): Promise<number> {
  const { id } = await make(client, '/svc/api/data-sources', { name, engine: 'PostgreSQL', connection });
  const linked = await client.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId: id });
  if (linked.status !== 201) throw new Error(`The source was not linked: ${linked.status} ${linked.text}`);
  return id;
}

/** Saves a query of one step. */
export async function addQuery(
  client: HttpClient,
  projectId: number,
  dataSourceId: number,
  sql: string,
  name = `Query ${count++}`,
): Promise<number> {
  return (await make(client, '/svc/api/queries', { projectId, name, steps: [{ dataSourceId, sql }] })).id;
}
