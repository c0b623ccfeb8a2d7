import type { Fixture } from '../fixture.ts';

const column = (name: string) => ({
  name,
  databaseType: 'integer',
  isNullable: true,
  defaultValue: null,
  comment: null,
});
const table = (name: string, ...columns: readonly string[]) => ({
  schema: 'public',
  name,
  type: 'Table',
  comment: null,
  primaryKey: ['id'],
  foreignKeys: [],
  indexes: [],
  columns: ['id', ...columns].map(column),
});
const snapshot = {
  schemas: ['public'],
  areTablesCut: false,
  areColumnsCut: false,
  tables: [table('customers'), table('orders', 'customer_id')],
};

/** The one relationship that column names suggest in `snapshot`. */
export const suggested = {
  source: { schema: 'public', table: 'orders', columns: ['customer_id'] },
  target: { schema: 'public', table: 'customers', columns: ['id'] },
};

/** Stores metadata with two tables for a data source and links it to the fixture's project. Connects to no database. */
export async function knowSchema({ root, svc, project }: Fixture, dataSourceId: number): Promise<string> {
  await root.post(`/svc/api/projects/${project}/data-sources`, { dataSourceId });
  await svc.sql(
    `insert into svc.data_source_metadata (data_source_id, snapshot, refreshed_at) values ($1, $2, now())`,
    [dataSourceId, JSON.stringify(snapshot)],
  );
  return `/svc/api/data-sources/${dataSourceId}/relationships`;
}

/** Stores the same metadata and accepts the suggested relationship. Returns its path. */
export async function knowRelationship(fixture: Fixture, dataSourceId: number): Promise<string> {
  const path = await knowSchema(fixture, dataSourceId);
  const { body } = await fixture.root.post(`${path}/discover/accept`, { proposals: [suggested] });
  return `${path}/${body.items[0].id}`;
}

/** Inserts a relationship between two catalogue tables, which exist in an empty database too. Returns its path. */
export async function knowCheckable({ svc, dataSource }: Fixture): Promise<string> {
  const [made] = await svc.sql<{ id: number }>(
    `insert into svc.relationships as r (data_source_id, source_schema, source_table, source_columns, target_schema,
       target_table, target_columns, label, origin, cardinality, confidence)
     values ($1, 'pg_catalog', 'pg_class', '{relnamespace}', 'pg_catalog', 'pg_namespace', '{oid}', 'schema', 'Manual',
       'ManyToOne', 1)
     on conflict on constraint relationships_ends do update set label = excluded.label returning id`,
    [dataSource],
  );
  return `/svc/api/data-sources/${dataSource}/relationships/${made?.id}`;
}
