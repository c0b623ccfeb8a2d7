import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dial, ExecuteOptions } from '../../port.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';
import { createPostgresqlConnector } from '../index.ts';
import type { PostgresqlConnection } from '../settings.ts';

/** Tests of reads of a few rows, which include the reset of the session in one round trip. */
let database: TestDatabase;
let admin: pg.Client;
let connector: ReturnType<typeof createPostgresqlConnector>;

beforeAll(async () => {
  database = await createEmptyDatabase();
  admin = new pg.Client(database.adminConnection);
  await admin.connect();
  await admin.query(
    'create table people (id int, mail text); insert into people select n, n from generate_series(1, 300) n',
  );
  await admin.query('grant select on people to public');
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});
beforeEach(() => {
  connector = createPostgresqlConnector({ keepConnections: { idleMs: 60_000 } });
});
afterEach(() => connector.close());

const settings = (): PostgresqlConnection => ({ ...database.connection, host: testHost, tlsMode: 'Disable' });
const execute = (sql: string, change: Partial<ExecuteOptions> = {}) =>
  connector.execute(
    settings(),
    { sql },
    {
      maxRows: 10_000,
      maxBytes: 1_000_000,
      maxCellBytes: 100_000,
      dial: databaseDial(database.connection),
      signal: new AbortController().signal,
      timeoutMs: 110_000,
      rowsWanted: 20,
      ...change,
    },
  );
const rows = async (sql: string, change: Partial<ExecuteOptions> = {}) => rowsOf(await execute(sql, change));
const backend = async (change: Partial<ExecuteOptions> = {}) =>
  (await rows('select pg_backend_pid()', change))[0]?.[0];
const numbers = 'select n from generate_series(1, 300) n';

describe('a read of a few PostgreSQL rows', () => {
  it('returns all rows of a small result, and one more than requested of a larger one', async () => {
    expect(await rows('select n from generate_series(1, 20) n')).toHaveLength(20);
    expect(await rows(numbers)).toHaveLength(21);
    expect(await rows(numbers, { rowsWanted: 0 })).toHaveLength(1);
    expect(await rows('select 1 where false')).toEqual([]);
  });

  it('returns all rows if more are requested than one fetch can return', async () => {
    expect(await rows(numbers, { rowsWanted: 101 })).toHaveLength(300);
    expect(await rows(numbers, { rowsWanted: 20, maxBytes: 1_000_000_000 })).toHaveLength(300);
  });

  it('returns the origins of the columns', async () => {
    const { columns } = await execute('select mail as letters, 1 as one from people', { wantOrigins: true });
    expect(columns.map(({ origin }) => origin)).toEqual([{ column: 'mail' }, null]);
  });

  it('leaves a connection that serves the next statement, without state of this one', async () => {
    const first = await backend();
    await rows(numbers);
    expect(await backend()).toBe(first);
    const { rows: sessions } = await admin.query(
      'select state, xact_start, query from pg_stat_activity where pid = $1',
      [first],
    );
    expect(sessions).toEqual([{ state: 'idle', xact_start: null, query: 'DISCARD ALL' }]);
  });

  it('can be closed before its rows are read', async () => {
    const first = await backend();
    await (await execute(numbers)).close();
    const stream = await execute(numbers);
    for await (const _ of stream.batches) break;
    await stream.close();
    expect(await backend()).toBe(first);
  });
});

describe('limits of a few rows', () => {
  it('have the same error codes as those of many rows', async () => {
    const cell = execute("select repeat('x', 100001)").then(rowsOf);
    expect(await errorOf(cell)).toMatchObject({ code: 'value-too-large' });
    const all = execute("select repeat('x', 90000) from generate_series(1, 20)").then(rowsOf);
    expect(await errorOf(all)).toMatchObject({ code: 'too-many-bytes' });
    expect(await errorOf(execute('select 1 / (n - 3) from generate_series(1, 9) n'))).toMatchObject({
      code: 'statement-failed',
    });
    expect(await errorOf(execute('select pg_sleep(20)', { timeoutMs: 200 }))).toMatchObject({
      code: 'timed-out',
    });
  });

  it('end the statement at the server when the caller cancels', async () => {
    const cancelling = new AbortController();
    const running = errorOf(execute("select 'cancel test', pg_sleep(600)", { signal: cancelling.signal }));
    const active = async () =>
      (
        await admin.query(
          "select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%cancel test%' and pid <> pg_backend_pid()",
        )
      ).rowCount;
    await expect.poll(active).toBe(1);
    cancelling.abort();
    expect(await running).toMatchObject({ code: 'cancelled' });
    await expect.poll(active).toBe(0);
  });
});

/** Dialler that replaces the reset of a session by an unknown statement. */
const withoutReset: Dial = async (target, options) => {
  const socket = await databaseDial(database.connection)(target, options);
  const { _write: write, _writev: writev } = socket;
  const spoil = (chunk: Buffer) =>
    Buffer.from(chunk.toString('latin1').replace('DISCARD ALL', 'DISCARD NOT'), 'latin1');
  socket._write = (chunk: Buffer, encoding, done) => write.call(socket, spoil(chunk), encoding, done);
  if (writev)
    socket._writev = (chunks, done) => {
      const spoilt = chunks.map((one) => ({ ...one, chunk: spoil(one.chunk as Buffer) }));
      writev.call(socket, spoilt, done);
    };
  return socket;
};

it('a failed reset does not fail the read, and its connection is closed', async () => {
  const first = await backend({ dial: withoutReset });
  expect(first).toBeTypeOf('number');
  expect(await rows(numbers, { dial: withoutReset })).toHaveLength(21);
  expect(await backend()).not.toBe(first);
});

const sync = Buffer.from('S\0\0\0\x04', 'latin1');

/** Creates a dialler that counts the exchanges with the server. */
function counting() {
  let exchanges = 0;
  const count = (chunk: Buffer) => {
    if (chunk.includes(sync)) exchanges += 1;
  };
  const dial: Dial = async (target, options) => {
    const socket = await databaseDial(database.connection)(target, options);
    const { _write: write, _writev: writev } = socket;
    socket._write = (chunk: Buffer, encoding, done) => {
      count(chunk);
      write.call(socket, chunk, encoding, done);
    };
    if (writev)
      socket._writev = (chunks, done) => {
        for (const { chunk } of chunks) count(chunk as Buffer);
        writev.call(socket, chunks, done);
      };
    return socket;
  };
  return {
    dial,
    take: () => {
      const exchangesBefore = exchanges;
      exchanges = 0;
      return exchangesBefore;
    },
  };
}

describe('a few rows of tables that were read before', () => {
  const origins = async (sql: string, dial?: Dial) => {
    const stream = await execute(sql, { wantOrigins: true, ...(dial && { dial }) });
    const read = await rowsOf(stream);
    expect(read.length).toBeGreaterThan(0);
    return stream.columns.map(({ origin }) => origin?.column ?? null);
  };

  it('require one round trip, even in a different statement', async () => {
    const { dial, take } = counting();
    expect(await origins('select mail from people', dial)).toEqual(['mail']);
    expect(take()).toBe(2);
    expect(await origins('select mail as letters, id, 1 from people where id > 2', dial)).toEqual([
      'mail',
      'id',
      null,
    ]);
    expect(take()).toBe(1);
  });

  it('have the current names of the columns', async () => {
    await admin.query(`create table renamed (a text); insert into renamed values ('x')`);
    await admin.query('grant select on renamed to public');
    const sql = 'select * from renamed';
    expect(await origins(sql)).toEqual(['a']);
    await admin.query('alter table renamed rename a to mail');
    expect(await origins(sql)).toEqual(['mail']);
    // Replaces the table by another one with the same name.
    await admin.query(
      `drop table renamed; create table renamed (mail2 text); insert into renamed values ('x')`,
    );
    await admin.query('grant select on renamed to public');
    expect(await origins(sql)).toEqual(['mail2']);
    expect(await origins(sql)).toEqual(['mail2']);
  });

  it('have the correct column names after the table was renamed or replaced', async () => {
    const sql = 'select * from "We""ird".moved';
    const all = async () => [await origins(sql), await origins(sql)];
    await admin.query(`create schema "We""ird"; grant usage on schema "We""ird" to public;
      alter default privileges in schema "We""ird" grant select on tables to public;
      create table "We""ird".moved (harmless text, mail text); insert into "We""ird".moved values ('x', 'y')`);
    expect(await all()).toEqual([
      ['harmless', 'mail'],
      ['harmless', 'mail'],
    ]);
    // Swaps the names of the two columns.
    await admin.query(`alter table "We""ird".moved rename harmless to other;
      alter table "We""ird".moved rename mail to harmless; alter table "We""ird".moved rename other to mail`);
    expect(await all()).toEqual([
      ['mail', 'harmless'],
      ['mail', 'harmless'],
    ]);
    // Drops a column and adds it again with another number.
    await admin.query(`alter table "We""ird".moved drop mail; alter table "We""ird".moved add mail text`);
    expect(await all()).toEqual([
      ['harmless', 'mail'],
      ['harmless', 'mail'],
    ]);
    // Replaces the table by a view with its name, which swaps the column names.
    await admin.query(`alter table "We""ird".moved rename to kept;
      create view "We""ird".moved as select mail as harmless, harmless as mail from "We""ird".kept`);
    expect(await all()).toEqual([
      ['harmless', 'mail'],
      ['harmless', 'mail'],
    ]);
    // Creates the view again. Then the view and the table swap their names.
    await admin.query(`drop view "We""ird".moved;
      create view "We""ird".moved as select harmless as secret from "We""ird".kept`);
    expect(await all()).toEqual([['secret'], ['secret']]);
    await admin.query(
      `alter view "We""ird".moved rename to other; alter table "We""ird".kept rename to moved`,
    );
    expect(await all()).toEqual([
      ['harmless', 'mail'],
      ['harmless', 'mail'],
    ]);
    await admin.query('alter schema "We""ird" rename to weird');
    expect(await errorOf(execute(sql, { wantOrigins: true }))).toMatchObject({ code: 'statement-failed' });
    expect(await origins('select * from weird.moved')).toEqual(['harmless', 'mail']);
  });

  it('have the columns of the table that the name now refers to, if it referred to several', async () => {
    await admin.query(`create table one (a text); create table two (b text); insert into one values ('x');
      insert into two values ('x'); grant select on one, two to public`);
    const sql = 'select * from one';
    expect(await origins(sql)).toEqual(['a']);
    expect(await origins(sql)).toEqual(['a']);
    await admin.query('alter table one rename to three; alter table two rename to one');
    expect(await origins(sql)).toEqual(['b']);
    expect(await origins(sql)).toEqual(['b']);
    // Removes the name of the speculated table. The statement stays valid.
    await admin.query('alter table one rename to four; create view one as select b from four');
    await admin.query('grant select on one to public');
    expect(await origins(sql)).toEqual(['b']);
    expect(await origins('select four.b from four, one')).toEqual(['b']);
    await admin.query('drop view one; alter table four rename to one');
    expect(await origins(sql)).toEqual(['b']);
  });

  it('retain their column names until read, because a concurrent rename waits for the read', async () => {
    await admin.query(
      `create table slow (a text); insert into slow values ('x'); grant select on slow to public`,
    );
    await admin.query(
      `create function wait_for_it() returns text language sql as $$ select pg_advisory_xact_lock(77)::text $$`,
    );
    const other = new pg.Client(database.adminConnection);
    await other.connect();
    await other.query('select pg_advisory_lock(77)');
    const waiting = async () =>
      (
        await other.query(
          `select from pg_locks where not granted
           and database = (select oid from pg_database where datname = current_database())`,
        )
      ).rowCount;
    await origins('select a from slow');
    const reading = origins('select a, wait_for_it() from slow');
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    const renaming = admin.query('alter table slow rename a to b');
    await expect.poll(waiting, { interval: 10 }).toBe(2);
    await other.query('select pg_advisory_unlock(77)');
    await other.end();
    expect(await reading).toEqual(['a', null]);
    await renaming;
    expect(await origins('select b from slow')).toEqual(['b']);
  });

  it('are read once more if the columns come from another table than last time', async () => {
    await admin.query(`create table others (mail3 text); insert into others values ('x')`);
    await admin.query('grant select on others to public');
    const { dial, take } = counting();
    const both = 'from people, others limit 1';
    expect(await origins(`select id ${both}`, dial)).toEqual(['id']);
    expect(take()).toBe(2);
    expect(await origins(`select mail3 ${both}`, dial)).toEqual(['mail3']);
    expect(take()).toBe(3);
    expect(await origins(`select mail3, id ${both}`, dial)).toEqual(['mail3', 'id']);
    expect(take()).toBe(1);
  });

  it('are read on another connection if the cached one was ended', async () => {
    const sql = 'select pg_backend_pid(), mail from people limit 1';
    const read = async () => (await rows(sql, { wantOrigins: true }))[0]?.[0];
    const first = await read();
    await admin.query('select pg_terminate_backend($1, 5000)', [first]);
    expect(await read()).not.toBe(first);
  });

  it('are not read again if their connection ends while the statement runs', async () => {
    await origins('select mail from people');
    const running = errorOf(
      execute('select pg_sleep(20), mail from people limit 1', { wantOrigins: true, timeoutMs: 15_000 }),
    );
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await admin.query(end)).rowCount).toBe(1);
    expect(await running).toMatchObject({ code: 'connection-lost' });
  });
});
