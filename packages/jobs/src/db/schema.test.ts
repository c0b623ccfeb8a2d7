import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { dumpJobsSchema } from '../testing/dump-schema.ts';
import { createFixture } from '../testing/fixture.ts';
import { defaultSchema } from './schema.ts';

const folder = path.join(import.meta.dirname, '../../schema');

test('the dumped schema is equal to the result of the migrations', async () => {
  const fixture = await createFixture();
  const client = new pg.Client(fixture.database.connection);
  await client.connect();
  const dumped = await dumpJobsSchema(client, defaultSchema);
  await client.end();
  await fixture.close();
  const stored = globSync('**/*.sql', { cwd: folder }).sort();
  expect(stored, 'run npm run db:schema').toEqual(dumped.map(({ file }) => file).sort());
  for (const { file, content } of dumped) {
    expect(readFileSync(path.join(folder, file), 'utf8'), `${file}: run npm run db:schema`).toBe(content);
  }
});
