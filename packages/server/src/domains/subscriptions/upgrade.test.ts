import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '../../platform/db/migrate.ts';

const ofBefore = `
  insert into svc.projects (name) values ('Shop');
  insert into svc.queries (project_id, name) select id, 'Late orders' from svc.projects;
  insert into svc.subscriptions (query_id, cron_expression) select id, '0 8 * * *' from svc.queries, generate_series(1, 4);
  insert into svc.audit_events (event, actor_kind, subject_kind, subject_id, detail) values
    ('subscriptions.subscription_created', 'User', 'subscription', 1, '{}'),
    ('subscriptions.subscription_created', 'User', 'subscription', 2, '{"replaces": 1}'),
    ('subscriptions.subscription_archived', 'User', 'subscription', 1, '{"replacedBy": 2}'),
    ('subscriptions.subscription_created', 'User', 'subscription', 3, '{"replaces": 2}')`;

test('after an upgrade the replacements of the audit log are part of the subscriptions', async () => {
  const migrations = readMigrations();
  const change = migrations.findIndex(({ name }) => name.startsWith('0237-'));
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    await migrate(client, migrations.slice(0, change));
    await client.query(ofBefore);
    await migrate(client, migrations);
    const { rows } = await client.query(
      'select id, replaces_id as "replacesId" from svc.subscriptions order by id',
    );
    expect(rows.map(({ id, replacesId }) => [id, replacesId])).toEqual([
      [1, null],
      [2, 1],
      [3, 2],
      [4, null],
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});
