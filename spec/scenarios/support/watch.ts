import pg from 'pg';
import { createEmptyDatabase } from '../../../tools/test/database.ts';
import type { HttpClient } from './http-client.ts';

/** A database of somebody else that the service watches. */
export type WatchedSource = {
  /** Connection settings as a data source takes them. */
  readonly connection: Record<string, unknown>;
  /** A statement of the database's owner, past the service. */
  readonly sql: (statement: string, values?: readonly unknown[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Makes an empty PostgreSQL database to watch. */
export async function startSource(): Promise<WatchedSource> {
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  return {
    connection: { ...database.connection, tlsMode: 'Disable' },
    sql: async (statement, values = []) => void (await client.query(statement, [...values])),
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
}

async function created(client: HttpClient, path: string, body: unknown): Promise<number> {
  const answer = await client.post(path, body);
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  return answer.read<{ id: number }>().id;
}

let count = 0;

/** Adds a data source and links it to a project. */
export async function addDataSource(
  client: HttpClient,
  projectId: number,
  connection: Record<string, unknown>,
  name = `Source ${count++}`,
): Promise<number> {
  const id = await created(client, '/svc/api/data-sources', { name, engine: 'PostgreSQL', connection });
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
  return created(client, '/svc/api/queries', { projectId, name, steps: [{ dataSourceId, sql }] });
}
