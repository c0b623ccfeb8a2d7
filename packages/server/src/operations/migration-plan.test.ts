import { migrateJobs } from '@svc/jobs';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { planMigrations } from './migration-plan.ts';
import { type KnownSchema, knownSchemas } from './schemas.ts';

const later = (sql: string): readonly KnownSchema[] =>
  knownSchemas().map((schema) =>
    schema.name === 'svc'
      ? { ...schema, migrations: [...schema.migrations, { name: '9000-later.sql', sql, checksum: 'later' }] }
      : schema,
  );

const judged = (verdict: 'MayRoll' | 'MustStop', because: string | null) => [
  { schema: 'svc', name: '9000-later.sql', checksum: 'later', verdict, because },
];

test('a plan reports the actions of a start and whether every process must stop, and writes nothing', async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const { connection } = database;
  const client = new pg.Client(connection);
  await client.connect();
  await migrateJobs(client);
  expect(await planMigrations(connection)).toMatchObject({ verdict: 'UpToDate' });
  expect(await planMigrations(connection, later('select 1'), judged('MayRoll', null))).toMatchObject({
    verdict: 'MayRoll',
    schemas: [
      {
        schema: 'svc',
        isFirst: false,
        unknown: [],
        changed: [],
        pending: [{ name: '9000-later.sql', isOutsideTransaction: false, stopsBecause: null }],
      },
      { schema: 'svc_jobs', pending: [] },
    ],
  });
  const outside = later('-- svc: no-transaction\nselect 1');
  expect(await planMigrations(connection, outside, judged('MustStop', '0 runs in the window'))).toMatchObject(
    {
      verdict: 'MustStop',
      schemas: [{ pending: [{ isOutsideTransaction: true, stopsBecause: '0 runs in the window' }] }, {}],
    },
  );
  await client.query(`update svc.migrations set checksum = 'x' where name = '0007-events.sql'`);
  expect(await planMigrations(connection)).toMatchObject({
    verdict: 'Changed',
    schemas: [{ changed: ['0007-events.sql'] }, {}],
  });
  await client.query(`insert into svc.migrations (name, checksum) values ('9999-newer.sql', 'x')`);
  expect(await planMigrations(connection)).toMatchObject({
    verdict: 'Newer',
    schemas: [{ unknown: ['9999-newer.sql'] }, {}],
  });
  await client.end();
});

test('a plan for an empty database creates the schemas and stops no process', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const plan = await planMigrations(database.connection, later('select 1'));
  expect(plan).toMatchObject({ verdict: 'MayRoll', schemas: [{ isFirst: true }, { isFirst: true }] });
  expect((await planMigrations(database.connection)).schemas[0]?.isFirst).toBe(true);
});

test.each([
  ['no verdict', []],
  ['a verdict on another text', [{ ...judged('MayRoll', null)[0], checksum: 'earlier' }]],
  ['a verdict on a file of another schema', [{ ...judged('MayRoll', null)[0], schema: 'svc_jobs' }]],
] as const)('a migration file with %s requires a stop', async (_, verdicts) => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const plan = await planMigrations(database.connection, later('select 1'), verdicts as never);
  expect(plan).toMatchObject({
    verdict: 'MustStop',
    schemas: [{ pending: [{ stopsBecause: 'no trial has run the previous version on it' }] }, {}],
  });
});
