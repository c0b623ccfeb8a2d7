import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '../../platform/db/migrate.ts';

/** Returns the settings for all projects after the upgrade of an earlier installation. */
async function upgraded(before: string): Promise<unknown> {
  const migrations = readMigrations();
  const publishing = migrations.findIndex(({ name }) => name.startsWith('0039-'));
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    await migrate(client, migrations.slice(0, publishing));
    await client.query(before);
    await migrate(client, migrations);
    const { rows } = await client.query('select values from svc.mcp_settings where project_id is null');
    return rows[0]?.values;
  } finally {
    await client.end();
    await database.drop();
  }
}

const called = (tool: string) => `insert into svc.audit_events (event, actor_kind, detail)
  values ('mcp.tool_called', 'apiKey', '{"tool": "${tool}"}');`;

test.each([
  [
    'can still run all saved queries if they ran one before',
    called('run_saved_query'),
    { savedQueries: 'All' },
  ],
  [
    'can still run all saved queries, with the existing settings',
    `${called('run_saved_query')} insert into svc.mcp_settings (values) values ('{"maxRows": 5}');`,
    { maxRows: 5, savedQueries: 'All' },
  ],
  ['can run only published queries if they never ran a saved query', called('query'), undefined],
])('after an upgrade clients %s', async (_what, before, values) => {
  expect(await upgraded(before)).toEqual(values);
});
