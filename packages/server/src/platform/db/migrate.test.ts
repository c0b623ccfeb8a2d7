import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Migration, migrate } from './migrate.ts';

const migration = (name: string, sql: string, checksum = sql): Migration => ({ name, sql, checksum });
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('migrations are applied once, in order, by several processes that start together', async () => {
  const list = [
    migration('0001-one.sql', 'create table svc.one (id int)'),
    migration('0002-two.sql', 'alter table svc.one add b int'),
  ];
  const others = await Promise.all(
    [1, 2, 3].map(async () => {
      const other = new pg.Client(database.connection);
      await other.connect();
      return other;
    }),
  );
  const applied = await Promise.all(others.map((other) => migrate(other, list)));
  expect(applied.flat()).toEqual(['0001-one.sql', '0002-two.sql']);
  await Promise.all(others.map((other) => other.end()));
});

test('a failed migration leaves no changes', async () => {
  const list = [
    migration('0001-one.sql', 'create table svc.one (id int)'),
    migration('0002-two.sql', 'alter table svc.one add b int'),
    migration('0003-three.sql', 'create table svc.three (id int)'),
    migration('0004-bad.sql', 'create table nonsense ('),
  ];
  await expect(migrate(client, list)).rejects.toThrow('syntax error');
  const { rows } = await client.query("select to_regclass('svc.three') as t");
  expect(rows[0].t).toBeNull();
});

test('a file that changed after it was applied stops the start', async () => {
  const list = [
    migration('0001-one.sql', 'create table svc.one (id int)', 'another'),
    migration('0002-two.sql', 'alter table svc.one add b int'),
  ];
  await expect(migrate(client, list)).rejects.toThrow('0001-one.sql was changed after it was applied');
});

test('a database of a newer version is refused with that reason', async () => {
  await expect(migrate(client, [migration('0001-one.sql', 'create table svc.one (id int)')])).rejects.toThrow(
    'newer version',
  );
});
