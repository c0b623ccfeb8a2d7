import pg from 'pg';
import type { HttpClient } from '../client/http-client.ts';
import { make } from '../client/make.ts';
import { createEmptyDatabase, type TestDatabase } from '../database/database.ts';

/** External database that the service watches. */
export type WatchedSource = {
  /** Connection settings for a data source. */
  readonly connection: Record<string, unknown>;
  /** Connections as the database's owner, without the service. */
  readonly pool: pg.Pool;
  /** Executes a statement as the database's owner. */
  readonly sql: (statement: string, values?: readonly unknown[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Provides a PostgreSQL database to watch. Default: an empty database of the tests' server. */
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

/** Adds a data source, links it to a project and returns its id. */
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

/** Saves a query of one step and returns its id. */
export async function addQuery(
  client: HttpClient,
  projectId: number,
  dataSourceId: number,
  sql: string,
  name = `Query ${count++}`,
): Promise<number> {
  return (await make(client, '/svc/api/queries', { projectId, name, steps: [{ dataSourceId, sql }] })).id;
}
