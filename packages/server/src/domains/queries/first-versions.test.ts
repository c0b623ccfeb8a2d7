import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '../../platform/db/migrate.ts';

test('a migration gives each existing query version 1, which equals the current definition', async () => {
  const migrations = readMigrations();
  const versions = migrations.findIndex(({ name }) => name.startsWith('0014-'));
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    await migrate(client, migrations.slice(0, versions));
    await client.query(`
      with p as (insert into svc.projects (name) values ('Shop') returning id),
        d as (insert into svc.data_sources (name, engine, connection_shown, connection_sealed) values ('Shop', 'PostgreSQL', '{}', 'x') returning id),
        q as (insert into svc.queries (project_id, name, parameters)
          select p.id, 'Orders', '[{"type": "Number", "name": "days", "defaultValue": 7.0, "isRequired": true, "description": null}]' from p returning id)
      insert into svc.query_steps (query_id, step_order, data_source_id, sql) select q.id, 1, d.id, 'select 1' from q, d`);
    await client.query("insert into svc.queries (project_id, name) select id, 'Empty' from svc.projects");
    await migrate(client, migrations);
    const { rows } = await client.query(`
      select q.name, v.version_number as number, v.status, v.id = q.active_version_id as "isActive",
        v.definition_hash = svc.query_definition_hash(q.name, null, null,
          case q.name when 'Orders' then '[{"name": "days", "type": "Number", "defaultValue": 7.0}]'::jsonb else '[]' end,
          coalesce((select jsonb_agg(jsonb_build_object('sql', 'select 1', 'order', 1, 'key', s.step_key, 'name', null,
            'description', null, 'dataSourceId', s.data_source_id)) from svc.query_steps s where s.query_id = q.id), '[]')
        ) as "isSame"
      from svc.queries q join svc.query_versions v on v.query_id = q.id order by q.id`);
    const first = { number: 1, status: 'Active', isActive: true, isSame: true };
    expect(rows).toEqual([
      { name: 'Orders', ...first },
      { name: 'Empty', ...first },
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});
