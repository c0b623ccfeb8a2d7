import { readFileSync } from 'node:fs';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { dumpSchema, tableTypes } from './dump-schema.ts';

test('the dumped schema and the table types match the migrations', async () => {
  const database = await createMigratedDatabase();
  expect(database.connection.user).toBe('svc_test');
  const client = new pg.Client(database.connection);
  await client.connect();
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
  const withoutLayout = (text: string) => text.replaceAll(/\s+/g, ' ');
  expect(await dumpSchema(client), 'run npm run db:schema').toBe(read('../../../migrations/schema.sql'));
  expect(withoutLayout(await tableTypes(client)), 'run npm run db:schema').toBe(
    withoutLayout(read('./tables.generated.ts')),
  );
  await client.end();
  await database.drop();
});
