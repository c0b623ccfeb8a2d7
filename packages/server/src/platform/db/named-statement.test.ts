import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wireOf } from '../../../../pg-wire/src/testing.ts';
import { createDatabase, type Database } from './database.ts';
import { openPool, timesAsText } from './pool.ts';

let testDatabase: TestDatabase;
/** One connection, so that each run sees the state of the previous run. */
let database: Database;

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection, max: 1 }));
  await database.query('create table things (id int primary key, name text, at timestamptz, data bytea)');
});
beforeEach(() => database.query('truncate things'));
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});

const times = 3;
const insert = (values: unknown[]) => ({
  name: 'insert',
  text: 'insert into things (id, name, at, data) values ($1, $2, $3, $4)',
  values,
});

describe('a named statement', () => {
  test.each<[string, unknown[]]>([
    ['select $1::int as a, null::text as b, $2::text[] as c', [7, ['x', 'y "z"', null]]],
    ['select $1::timestamptz as at, $2::jsonb as json', [new Date('2026-01-02T03:04:05.678Z'), { a: [1] }]],
    [
      'select $1::bytea as bytes, $2::bool as flag, $3::int8 as big',
      [Buffer.from([0, 255]), true, 2 ** 53 - 1],
    ],
    ['select n, $1::numeric as price from generate_series(1, 3) n', ['1.50']],
    ['select 1 where $1', [false]],
    ['select', []],
  ])('returns the same answer as the driver: %s', async (text, values) => {
    const expected = await database.query(text, values);
    for (let run = 0; run < times; run += 1) {
      const answer = await database.query({ name: text, text, values });
      expect(answer.rows).toEqual(expected.rows);
      expect(answer).toMatchObject({ command: expected.command, rowCount: expected.rowCount });
    }
  });

  test('reports how many rows it changed', async () => {
    for (let id = 1; id <= times; id += 1) {
      const answer = await database.query(insert([id, 'a', null, null]));
      expect(answer).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [] });
    }
    const changed = await database.query({ name: 'change', text: `update things set name = 'b'` });
    expect(changed).toMatchObject({ command: 'UPDATE', rowCount: times });
  });

  test('is part of the transaction on whose connection it runs', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(insert([1, 'a', null, null]));
      const { rows } = await tx.query({ name: 'names', text: 'select name from things' });
      expect(rows).toEqual([{ name: 'a' }]);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect((await database.query({ name: 'names', text: 'select name from things' })).rows).toEqual([]);
  });

  test('rejects on an error of the server, and its next run works', async () => {
    const text = 'select 10 / $1::int as quotient';
    for (let run = 0; run < times; run += 1) {
      await expect(database.query({ name: 'quotient', text, values: [0] })).rejects.toMatchObject({
        code: '22012',
      });
      expect((await database.query({ name: 'quotient', text, values: [5] })).rows).toEqual([{ quotient: 2 }]);
    }
  });

  test('rejects each time if it cannot be parsed', async () => {
    for (let run = 0; run < times; run += 1) {
      await expect(database.query({ name: 'wrong', text: 'selec' })).rejects.toMatchObject({ code: '42601' });
    }
  });

  test('rejects a value that cannot be read and a value that cannot be written', async () => {
    const big = { name: 'big', text: 'select $1::int8 as big' };
    await expect(database.query({ ...big, values: ['9007199254740992'] })).rejects.toThrow('too large');
    const circular: unknown[] = [];
    circular.push({ circular });
    await expect(database.query({ ...big, values: [{ circular }] })).rejects.toThrow('circular');
    expect((await database.query({ ...big, values: [1] })).rows).toEqual([{ big: 1 }]);
  });

  test('refuses another text under the same name', async () => {
    await database.query({ name: 'one', text: 'select 1 as one' });
    await expect(database.query({ name: 'one', text: 'select 2 as one' })).rejects.toThrow(
      'another statement',
    );
    expect((await database.query({ name: 'one', text: 'select 1 as one' })).rows).toEqual([{ one: 1 }]);
  });

  test('uses the parsers of its caller, regardless of earlier callers', async () => {
    const statement = { name: 'time', text: `select '2026-01-02 03:04:05Z'::timestamptz as at` };
    const asDate = [{ at: new Date('2026-01-02T03:04:05Z') }];
    const asText = [{ at: '2026-01-02T03:04:05.000Z' }];
    expect((await database.query(statement)).rows).toEqual(asDate);
    expect((await database.query({ ...statement, types: timesAsText })).rows).toEqual(asText);
    expect((await database.query(statement)).rows).toEqual(asDate);
  });

  test('works if the driver itself has prepared it on the connection', async () => {
    const statement = { name: 'shared', text: 'select 1 as one' };
    await database.pool.query(statement);
    expect((await database.query(statement)).rows).toEqual([{ one: 1 }]);
  });

  test('rejects when its connection is lost, and runs on the next one', async () => {
    const waiting = database.query({ name: 'sleep', text: 'select pg_terminate_backend(pg_backend_pid())' });
    await expect(waiting).rejects.toThrow();
    for (let run = 0; run < times; run += 1) {
      expect((await database.query({ name: 'one', text: 'select 1 as one' })).rows).toEqual([{ one: 1 }]);
    }
  });

  test('is described once, and not again in later runs', async () => {
    const client = await database.pool.connect();
    const described: unknown[] = [];
    wireOf(client).on('rowDescription', (message) => described.push(message));
    client.release();
    for (let run = 0; run < times; run += 1)
      await database.query({ name: 'described', text: 'select $1::int as n', values: [run] });
    expect(described).toHaveLength(1);
  });
});
