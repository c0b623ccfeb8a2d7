import pg from 'pg';
import { expect, test } from 'vitest';
import { createDatabaseFrom, type TestDatabase } from './database.ts';

const make = () =>
  createDatabaseFrom('one table', (client) => client.query('create table shelf (book text)'));

async function query(database: TestDatabase, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

test('each database has the content of its template, belongs to the role of the tests and is independent of the others', async () => {
  const [first, second, third] = await Promise.all([make(), make(), make()]);
  try {
    await query(first, `insert into shelf values ('a book')`);
    expect(await query(second, 'select * from shelf')).toEqual([]);
    expect(await query(third, 'select * from shelf')).toEqual([]);
    expect(
      await query(
        first,
        'select rolname from pg_database d join pg_roles r on r.oid = datdba where datname = current_database()',
      ),
    ).toEqual([first.connection.user]);
  } finally {
    for (const database of [first, second, third]) await database.drop();
  }
});

test('a dropped database disappears, even with open connections', async () => {
  const [gone, other] = [await make(), await make()];
  const connected = new pg.Client(gone.connection);
  const errors: Error[] = [];
  connected.on('error', (error) => errors.push(error));
  await connected.connect();
  await gone.drop();
  await expect
    .poll(() => query(other, `select datname from pg_database where datname = '${gone.connection.database}'`))
    .toEqual([]);
  await expect.poll(() => errors).not.toEqual([]);
  await other.drop();
});
