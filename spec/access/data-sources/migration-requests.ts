import { make } from '@svc/testkit/client/make.ts';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const sources = '/svc/api/data-sources';
const migrations = '/svc/api/migrations';
const migrationJob = ({ dataSource }: Fixture) => ({
  name: 'matrix-copy',
  dataSourceId: dataSource,
  source: { kind: 'Query', sql: 'select 1 as one' },
  destinationDataSourceId: dataSource,
  destination: { schema: 'public', table: 'copied' },
  mode: 'Insert',
});
const freshMigrationJob = async (fixture: Fixture) =>
  (await make(fixture.root, `${migrations}/jobs`, migrationJob(fixture))).id;
const freshMigrationAt = async (fixture: Fixture, rest = '', body?: unknown) => ({
  path: `${migrations}/jobs/${await freshMigrationJob(fixture)}${rest}`,
  ...(body !== undefined && { body }),
});

/** Inserts a copy in this status. It has no job, so background work does not change it. Returns its path. */
async function freshExecution(fixture: Fixture, status: 'Failed' | 'Queued', rest = '') {
  await fixture.root.put(`${sources}/${fixture.dataSource}/migration-writes`, { isAllowed: true });
  const [row] = await fixture.svc.sql<{ id: number }>(
    `insert into svc.migration_executions (migration_job_id, status, trigger, definition, destination_data_source_id)
      select id, $2, 'Manual', '{"destination": {}}', destination_data_source_id from svc.migration_jobs where id = $1
      returning id`,
    [await freshMigrationJob(fixture), status],
  );
  if (!row) throw new Error('The matrix could not prepare a copy.');
  return { path: `${migrations}/executions/${Number(row.id)}${rest}` };
}

/** Requests about data migration. */
export const migrationRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${migrations}/data-sources/{id}/tables`]: async ({ dataSource }) => ({
    path: `${migrations}/data-sources/${dataSource}/tables`,
  }),
  [`POST ${migrations}/preview`]: async (fixture) => {
    const { dataSourceId, source } = migrationJob(fixture);
    return { body: { dataSourceId, source } };
  },
  [`POST ${migrations}/jobs`]: async (fixture) => ({ body: migrationJob(fixture) }),
  [`GET ${migrations}/jobs/{id}`]: (fixture) => freshMigrationAt(fixture),
  [`PUT ${migrations}/jobs/{id}`]: (fixture) => freshMigrationAt(fixture, '', migrationJob(fixture)),
  [`DELETE ${migrations}/jobs/{id}`]: (fixture) => freshMigrationAt(fixture),
  [`POST ${migrations}/jobs/{id}/validate`]: (fixture) => freshMigrationAt(fixture, '/validate'),
  [`POST ${migrations}/jobs/{id}/run`]: async (fixture) => {
    await fixture.root.put(`${sources}/${fixture.dataSource}/migration-writes`, { isAllowed: true });
    return freshMigrationAt(fixture, '/run', { isTrial: true });
  },
  [`GET ${migrations}/executions/{id}`]: (fixture) => freshExecution(fixture, 'Failed'),
  [`POST ${migrations}/executions/{id}/cancel`]: (fixture) => freshExecution(fixture, 'Queued', '/cancel'),
  [`POST ${migrations}/executions/{id}/retry`]: (fixture) => freshExecution(fixture, 'Failed', '/retry'),
  [`GET ${migrations}/executions/{id}/rejected`]: (fixture) => freshExecution(fixture, 'Failed', '/rejected'),
};
