import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '../../platform/db/migrate.ts';

const ofBefore = `
  insert into svc.projects (name) values ('Shop');
  insert into svc.data_sources (name, engine, connection_shown, connection_sealed) values ('Shop', 'PostgreSQL', '{}', 'x');
  insert into svc.data_contracts (project_id, data_source_id, schema_name, table_name, name, is_enabled, warn_score,
      fail_score, alert_mode, alerts_on_warning, keeps_samples)
    select p.id, d.id, 'public', 'orders', 'Orders', true, 95, 80, 'EveryFailure', false, true
    from svc.projects p, svc.data_sources d returning id`;

test('after an upgrade, a contract retains its failure condition, and a new contract fails on any rule', async () => {
  const migrations = readMigrations();
  const change = migrations.findIndex(({ name }) => name.startsWith('0226-'));
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    await migrate(client, migrations.slice(0, change));
    const [, , inserted] = await client.query(ofBefore).then((results) => [results].flat());
    await migrate(client, migrations);
    const { rows } = await client.query(
      `insert into svc.data_contracts (project_id, data_source_id, schema_name, table_name, name, is_enabled, warn_score,
         fail_score, alert_mode, alerts_on_warning, keeps_samples)
       select project_id, data_source_id, 'public', 'orders', 'New', true, 95, 80, 'EveryFailure', false, true
       from svc.data_contracts returning id, fails_on as "failsOn"`,
    );
    expect(rows).toMatchObject([{ failsOn: 'AnyRule' }]);
    const before = await client.query('select fails_on as "failsOn" from svc.data_contracts where id = $1', [
      inserted?.rows[0].id,
    ]);
    expect(before.rows).toEqual([{ failsOn: 'Score' }]);
  } finally {
    await client.end();
    await database.drop();
  }
});
