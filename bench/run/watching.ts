import pg from 'pg';
import type { BenchDatabase } from './database.ts';
import { addEditor, apiOf, cookieOf } from './people.ts';
import type { Subject } from './subject.ts';

export type Made = { readonly id: number };

/** The service with an administrator, a project, a data source and a query, for subscriptions. */
export type WatchedShop = {
  /** Calls the API as the administrator. */
  readonly post: ReturnType<typeof apiOf>;
  readonly queryId: number;
};

/**
 * Creates by the API all that a subscription needs.
 *
 * @param createTable  Statement that creates and fills the watched table.
 * @param sql  Statement of the query.
 */
export async function watchShop(
  service: Subject,
  database: BenchDatabase,
  { createTable, sql }: { readonly createTable: string; readonly sql: string },
): Promise<WatchedShop> {
  const origin = String(service.ready['origin']);
  await addEditor(origin, database);
  const shop = { ...database.loopback, database: 'shop' };
  const client = new pg.Client(shop);
  await client.connect();
  await client.query(createTable);
  await client.end();
  const post = apiOf(origin, await cookieOf(origin, 'root'));
  const project = await post<Made>('/svc/api/projects', { name: 'Bench' });
  const source = await post<Made>('/svc/api/data-sources', {
    name: 'Shop',
    engine: 'PostgreSQL',
    connection: { ...shop, tlsMode: 'Disable' },
  });
  await post(`/svc/api/projects/${project.id}/data-sources`, { dataSourceId: source.id });
  const { id: queryId } = await post<Made>('/svc/api/queries', {
    projectId: project.id,
    name: 'Late orders',
    steps: [{ name: 'orders', dataSourceId: source.id, sql }],
  });
  return { post, queryId };
}
